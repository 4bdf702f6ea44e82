#include <stdlib.h>
// The block is gone: that it is also left is of no interest.
int main(void) {
  char *block = malloc(4);
  free(block);
  return block[2]; //~ use-after-free: read of 1 byte from block from malloc
}
