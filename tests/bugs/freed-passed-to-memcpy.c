#include <stdlib.h>
#include <string.h>
int main(void) {
  char to[4], *from = malloc(4);
  memset(from, 1, 4);
  free(from);
  memcpy(to, from, 4); //~ use-after-free: read of 4 bytes from block from malloc
  return 0;
}
