#include <stdlib.h>
int main(void) {
  char *block = malloc(4);
  free(block);
  block = realloc(block, 8); //~ double-free: block from malloc at realloc-after-free.c:3 (4 bytes) was freed at realloc-after-free.c:4
  return 0;
}
