#include <stdlib.h>
int main(void) {
  char *block = malloc(16);
  free(block);
  free(block); //~ double-free: block from malloc at double-free.c:3 (16 bytes) was freed at double-free.c:4
  return 0;
}
