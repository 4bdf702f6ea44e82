// run: --cc-flags="-g -fsanitize=signed-integer-overflow -fsanitize-trap=all"
#include <limits.h>
int main(void) {
  volatile int x = INT_MAX;
  return x + 1; //~ signed-overflow
}
