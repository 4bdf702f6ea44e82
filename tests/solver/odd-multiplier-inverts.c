#include <klee/klee.h>
// An odd number has an inverse modulo 2^32, so that there is exactly one solution.
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x * 0x01000193u == 0xdeadbeefu)
    return 1;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
