#include <stdlib.h>
int main(void) {
  long *block = calloc(3, sizeof(long));
  long value = block[-1]; //~ out-of-bounds: read of 8 bytes, 8 before the start of block from calloc at heap-read-before-start.c:3 (24 bytes)
  free(block);
  return (int)value;
}
