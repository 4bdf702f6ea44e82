#include <klee/klee.h>
// Natively such a write lands in the other array; an address names its object all the same.
int first[4];
int second[4];
int main(void) {
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i >= 4 && i < 1000)
    first[i] = 1; //~ out-of-bounds: of first (16 bytes)
  return second[0];
}
//~ exits: 0
