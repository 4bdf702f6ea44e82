#include <string.h>
int main(void) {
  char buf[8] = "abcdefg";
  volatile int length = -1;
  memmove(buf, buf + 1, (size_t)length); //~ out-of-bounds
  return 0;
}
