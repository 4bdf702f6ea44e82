#include <stdlib.h>
int main(void) {
  char *block = malloc(16);
  block = realloc(block, 8);
  block[8] = 1; //~ out-of-bounds: write of 1 byte, 1 past the end of block from realloc at realloc-shrinks.c:4 (8 bytes)
  free(block);
  return 0;
}
