// run: --check=uninitialised
#include <stdlib.h>
int main(void) {
  char *block = malloc(2);
  block[0] = 'a';
  int both = block[0] == 'a' && block[1] == 'b'; //~ uninitialised: branch on an uninitialised value
  free(block);
  return both;
}
//~ replay: no, the native value is whatever the heap holds
