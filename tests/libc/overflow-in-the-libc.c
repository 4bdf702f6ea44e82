#include <stdio.h>
/* The error is found inside the libc and reported at the call. */
int main(void) {
  char small[4];
  sprintf(small, "%d", 12345); //~ out-of-bounds: past the end of small (4 bytes)
  return small[0];
}
