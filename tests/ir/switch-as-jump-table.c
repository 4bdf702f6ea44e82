// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <klee/klee.h>
int main(void) {
  unsigned op;
  klee_make_symbolic(&op, sizeof op, "op");
  klee_assume(op < 6);
  int r = 1;
  volatile int sink = 0;
  switch (op) {
  case 0: sink = 10; r = 5; break;
  case 1: sink = 11; r = 8; break;
  case 2: sink = 12; r = 2;
  case 3: sink = 13; r += 20; break;
  case 4: sink = 14; return 40;
  }
  return r;
}
//~ exits: 1 5 8 21 22 40
