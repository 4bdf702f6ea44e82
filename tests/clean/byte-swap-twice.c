#include <assert.h>
#include <klee/klee.h>
static unsigned swap(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  assert(swap(swap(x)) == x);
  assert(swap(x) == __builtin_bswap32(x));
  return 0;
}
//~ paths: 1
