#include <klee/klee.h>
int main(void) {
  int a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(a > 0 & a < 1000 & b > 0 & b < 1000);
  int scale = a * 3 - b * 7 + 20;
  if (a > 40)
    return 0;
  return 1000 / scale > 0; //~ division-by-zero: division by zero
}
