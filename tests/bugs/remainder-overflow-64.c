#include <limits.h>
int main(void) {
  volatile long a = LONG_MIN, b = -1;
  return (int)(a % b); //~ signed-overflow: remainder overflows 64 bits
}
