#include <klee/klee.h>
int main(void) {
  int x = klee_range(-1000, 1000, "x"), y = klee_range(-1000, 1000, "y");
  if (2 * x + 3 * y == 23)
    if (5 * x - y == 32)
      return 1;
  return 0;
}
//~ paths: 3
//~ test: x=7 y=3
