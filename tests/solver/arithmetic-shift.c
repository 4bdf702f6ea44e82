#include <klee/klee.h>
int main(void) {
  int x;
  unsigned n;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n < 32);
  klee_assume(x < 0);
  int y = x >> n;
  if (y >= 0)
    return 9;
  if (y == -1)
    return 1;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
