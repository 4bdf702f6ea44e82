// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <klee/klee.h>
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned _BitInt(17) a = (unsigned _BitInt(17))x;
  a += 1;
  assert(a < 131072);
  _BitInt(5) b = (_BitInt(5))x;
  assert(b >= -16 && b <= 15);
  unsigned _BitInt(77) c = (unsigned _BitInt(77))x << 40;
  assert((unsigned)(c >> 40) == x);
  return 0;
}
//~ exits: 0
