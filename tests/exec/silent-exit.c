#include <klee/klee.h>
int main(void) {
  int x = klee_range(0, 3, "x");
  if (x == 1)
    klee_silent_exit(5);
  return 0;
}
//~ tests: 1
//~ exits: 0*1
