#include <klee/klee.h>
int main(void) {
  int n = klee_range(1, 4, "n");
  if (n == 2) {
    char buf[n];
    buf[n] = 0; //~ out-of-bounds: write of 1 byte, 1 past the end of buf (2 bytes)
  }
  return 0;
}
