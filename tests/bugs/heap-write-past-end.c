#include <stdlib.h>
int main(void) {
  char *block = malloc(10);
  block[10] = 'x'; //~ out-of-bounds: write of 1 byte, 1 past the end of block from malloc at heap-write-past-end.c:3 (10 bytes)
  free(block);
  return 0;
}
