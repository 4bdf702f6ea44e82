#include <klee/klee.h>
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x > -8);
  klee_assume(x < 0);
  int q = x / 3, r = x % 3;
  if (q > 0 || r > 0)
    return 9;
  if (q == -2 && r == -1)
    return 1;
  if (q == 0 && r == -2)
    return 2;
  return 0;
}
//~ exits: 0 1 2
//~ test: x=-7
//~ test: x=-2
