#include <klee/klee.h>
#include <stdlib.h>
// count * 4 wraps in 8 bits, so that the block is too small for 64 numbers and more.
int main(void) {
  unsigned char count;
  klee_make_symbolic(&count, sizeof count, "count");
  klee_assume(count == 65);
  unsigned char bytes = count * 4;
  int *block = malloc(bytes);
  for (int i = 0; i < 2; i++)
    block[i] = i; //~ out-of-bounds: write of 4 bytes, 4 past the end of block from malloc
  free(block);
  return 0;
}
