#include <stdlib.h>
int main(void) {
  char *block = malloc(0);
  if (block)
    *block = 1; //~ out-of-bounds: write of 1 byte, 1 past the end of block from malloc at malloc-of-nothing.c:3 (0 bytes)
  free(block);
  return 0;
}
