#include <string.h>
int main(void) {
  char buf[6] = {0};
  int *last = (int *)(buf + 4);
  *last = 1; //~ out-of-bounds: write of 4 bytes, 2 past the end of buf (6 bytes)
  return 0;
}
