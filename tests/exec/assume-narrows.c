#include <klee/klee.h>
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x > 10);
  klee_assume(x < 12);
  if (x == 11)
    return 0;
  return 1;
}
//~ paths: 1
//~ exits: 0
//~ test: x=11
