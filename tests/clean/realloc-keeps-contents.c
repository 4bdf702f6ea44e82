#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *block = malloc(4 * sizeof(int));
  for (int i = 0; i < 4; i++)
    block[i] = i * i;
  block = realloc(block, 100 * sizeof(int));
  block[99] = 5;
  for (int i = 0; i < 4; i++)
    assert(block[i] == i * i);
  block = realloc(block, 2 * sizeof(int));
  assert(block[0] == 0 && block[1] == 1);
  free(block);
  return 0;
}
//~ paths: 1
