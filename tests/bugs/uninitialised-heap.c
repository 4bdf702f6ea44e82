// run: --check=uninitialised
#include <stdlib.h>
int main(void) {
  char *block = malloc(2);
  block[0] = 'a';
  if (block[0] == 'a' && block[1] == 'b') //~ uninitialised: branch on an uninitialised value
    return 1;
  free(block);
  return 0;
}
//~ replay: no, the native value is whatever the heap holds
