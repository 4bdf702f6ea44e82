#include <limits.h>
int main(void) {
  volatile int a = INT_MIN, b = -1;
  return a / b; //~ signed-overflow: division overflows 32 bits
}
