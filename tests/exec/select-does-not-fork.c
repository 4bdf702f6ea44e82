#include <klee/klee.h>
int main(void) {
  int x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  int small = x < 10 ? 1 : 2;
  y = small * 3;
  if (y == 3)
    return 1;
  return 0;
}
//~ paths: 2
