#include <klee/klee.h>
// With & in place of && the condition is one value, so that nothing forks.
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume((x > 10) & (x < 12));
  if (x == 11)
    return 0;
  return 1;
}
//~ paths: 1
//~ exits: 0
