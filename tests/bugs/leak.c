// run: --check=leak
#include <stdlib.h>
int main(void) {
  char *lost = malloc(16);
  lost[0] = 1;
  return 0;
}
//~ error: leak: 16 bytes from malloc at leak.c:4 are never freed
