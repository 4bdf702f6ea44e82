#include <klee/klee.h>
static int divide(int a, int b) {
  return a / b; //~ division-by-zero: division by zero
}
int main(void) {
  int x = klee_range(0, 3, "x");
  int zero = 0;
  if (x == 0)
    return divide(1, zero);
  if (x == 1)
    return divide(2, zero);
  return divide(4, 2);
}
//~ exits: 2*1
