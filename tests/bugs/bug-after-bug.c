#include <klee/klee.h>
// What the first error leaves goes on to the second.
int main(void) {
  unsigned x;
  char a[4] = {0}, b[2] = {0};
  klee_make_symbolic(&x, sizeof x, "x");
  a[x] = 1; //~ out-of-bounds: of a (4 bytes)
  b[x] = 1; //~ out-of-bounds: of b (2 bytes)
  return 0;
}
//~ tests: 3
//~ exits: 0*1
