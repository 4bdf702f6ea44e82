#include <klee/klee.h>
int main(void) {
  int divisor;
  klee_make_symbolic(&divisor, sizeof divisor, "divisor");
  int result = 100 / divisor; //~ division-by-zero: division by zero
  return result == 3;
}
//~ test: divisor=0
