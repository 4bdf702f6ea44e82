#include <stdlib.h>
int main(void) {
  char *block = malloc(8);
  free(block + 4); //~ invalid-free: free of a pointer 4 bytes into block from malloc at free-of-interior-pointer.c:3 (8 bytes)
  return 0;
}
