/* What a buffer still holds is lost where the program ends without exit. */
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  printf("lost");
  fputs("kept", stderr);
  abort(); //~ abort
}
//~ output: kept
