#include <klee/klee.h>
int main(void) {
  int a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  int q = a / b; //~ division-by-zero: division by zero //~ signed-overflow: division overflows 32 bits
  return q == 12;
}
//~ test: a=-2147483648 b=-1
