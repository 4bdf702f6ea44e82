#include <stdlib.h>
int main(void) {
  int *old = malloc(8);
  int *new = realloc(old, 800);
  new[0] = 1;
  return old[0]; //~ use-after-free: read of 4 bytes from block from malloc at realloc-old-pointer.c:3 (8 bytes), freed at realloc-old-pointer.c:4
}
