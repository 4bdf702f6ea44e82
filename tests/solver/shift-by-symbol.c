#include <klee/klee.h>
int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n < 32);
  unsigned bit = 1u << n;
  if (bit == 0)
    return 9;
  if (bit == 0x10000)
    return 1;
  if (bit == 0x30000)
    return 8;
  if ((0x80000000u >> n) == bit)
    return 7;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
//~ test: n=16
