#include <assert.h>
#include <stdlib.h>
int main(void) {
  unsigned char *block = calloc(7, 9);
  for (int i = 0; i < 63; i++)
    assert(block[i] == 0);
  free(block);
  return 0;
}
//~ paths: 1
