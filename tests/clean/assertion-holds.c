#include <assert.h>
#include <klee/klee.h>
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  assert((x & 7) < 8);
  assert((x | 1) != 0);
  assert(x / 3 * 3 <= x);
  return 0;
}
//~ paths: 1
