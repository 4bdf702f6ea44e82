// run: --check=signed-overflow
#include <klee/klee.h>
int main(void) {
  int a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(a > 0);
  klee_assume(b > 0);
  int middle = (a + b) / 2; //~ signed-overflow: addition overflows 32 bits
  return middle < 0;
}
//~ exits: 0*1
