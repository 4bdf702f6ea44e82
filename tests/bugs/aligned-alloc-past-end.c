#include <stdlib.h>
int main(void) {
  char *block = aligned_alloc(64, 64);
  block[64] = 1; //~ out-of-bounds: 1 past the end of block from aligned_alloc at aligned-alloc-past-end.c:3 (64 bytes)
  free(block);
  return 0;
}
