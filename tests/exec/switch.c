#include <klee/klee.h>
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (x) {
  case -1: return 1;
  case 0: return 2;
  case 1000000: return 3;
  default: return 4;
  }
}
//~ paths: 4
//~ exits: 1*1 2*1 3*1 4*1
//~ test: x=-1
//~ test: x=1000000
