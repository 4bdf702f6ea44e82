// run: --check=signed-overflow
#include <limits.h>
int main(void) {
  volatile int x = INT_MAX;
  x++; //~ signed-overflow: addition overflows 32 bits
  return 0;
}
