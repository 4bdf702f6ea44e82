#include <klee/klee.h>
int main(void) {
  int x, y = 3;
  klee_make_symbolic(&x, sizeof x, "x");
  if (!klee_is_symbolic(x) || klee_is_symbolic(y))
    return 1;
  if (klee_is_symbolic(x - x) || !klee_is_symbolic(x + 1))
    return 2;
  if (x == 5)
    return klee_is_symbolic(y) ? 3 : 4;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 4*1
//~ replay: no, natively nothing is symbolic
