#include <klee/klee.h>
int main(void) {
  int x = klee_range(0, 3, "x");
  char buf[2] = {0};
  volatile int zero = 0;
  if (x == 0)
    return buf[2 + zero]; //~ out-of-bounds: 1 past the end of buf (2 bytes)
  if (x == 1)
    return 1 / zero; //~ division-by-zero
  return 5;
}
//~ tests: 3
//~ exits: 5*1
