#include <stdlib.h>
int main(void) {
  void *b = 0;
  if (posix_memalign(&b, 32, 5) != 0)
    return 1;
  return ((char *)b)[6]; //~ out-of-bounds: read of 1 byte, 2 past the end of block from posix_memalign
}
