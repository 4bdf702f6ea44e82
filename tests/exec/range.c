#include <klee/klee.h>
int main(void) {
  int x = klee_range(-3, 4, "x");
  if (x < -3 || x >= 4)
    return 9;
  if (x == -3)
    return 1;
  if (x == 3)
    return 2;
  return 0;
}
//~ paths: 3
//~ exits: 0*1 1*1 2*1
//~ test: x=-3
//~ test: x=3
