#include <assert.h>
#include <klee/klee.h>
// The absolute value of the smallest number is negative.
static int absolute(int x) { return x < 0 ? (int)(0u - (unsigned)x) : x; }
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  assert(absolute(x) >= 0); //~ assertion: assertion failed: absolute(x) >= 0
  return 0;
}
//~ test: x=-2147483648
