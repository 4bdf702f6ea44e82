// run: --cc-flags="-g -fsanitize=signed-integer-overflow"
#include <klee/klee.h>
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int y = x + 1; //~ signed-overflow
  return y == 7;
}
//~ test: x=2147483647
