// run: --check=leak
#include <stdlib.h>
int main(void) {
  unsigned char *blocks[100];
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 100; i++) {
      blocks[i] = malloc(i + 1);
      blocks[i][i] = i;
    }
    for (int i = 0; i < 100; i++) {
      if (blocks[i][i] != i)
        return 1;
      free(blocks[i]);
    }
  }
  return 0;
}
//~ exits: 0
