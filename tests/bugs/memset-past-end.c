#include <string.h>
int main(void) {
  char buf[16];
  memset(buf + 8, 0, 16); //~ out-of-bounds: write of 16 bytes, 8 past the end of buf (16 bytes)
  return 0;
}
