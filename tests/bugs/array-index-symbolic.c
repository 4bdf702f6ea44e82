#include <klee/klee.h>
// The path goes on with the indices that are in bounds.
int main(void) {
  char buf[4] = {0};
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 6);
  buf[i] = 1; //~ out-of-bounds: of buf (4 bytes)
  return 0;
}
//~ tests: 2
//~ exits: 0*1
