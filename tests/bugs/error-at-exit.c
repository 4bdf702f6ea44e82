#include <stdlib.h>
static char *block;
static void finish(void) {
  block[4] = 0; //~ out-of-bounds: write of 1 byte, 1 past the end of block from malloc at error-at-exit.c:7 (4 bytes)
}
int main(void) {
  block = malloc(4);
  atexit(finish);
  return 0;
}
