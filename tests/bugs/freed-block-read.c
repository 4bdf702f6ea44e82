#include <stdlib.h>
int main(void) {
  int *block = malloc(16);
  block[0] = 7;
  free(block);
  return block[0]; //~ use-after-free: read of 4 bytes from block from malloc at freed-block-read.c:3 (16 bytes), freed at freed-block-read.c:5
}
