#include <klee/klee.h>
int main(void) {
  unsigned long x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (x) {
  case 0xffffffffffffffff: return 1;
  case 0x100000000: return 2;
  case 0: return 3;
  }
  return 4;
}
//~ exits: 1*1 2*1 3*1 4*1
//~ test: x=0x100000000
