#include <assert.h>
#include <klee/klee.h>
// x & (x - 1) clears the lowest bit; x & -x isolates it; x ^ y ^ y is x.
int main(void) {
  unsigned x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  assert((x & (x - 1)) + (x & -x) == x);
  assert((x ^ y ^ y) == x);
  assert((x & y) + (x | y) == x + y);
  assert(~x == -x - 1);
  return 0;
}
//~ paths: 1
