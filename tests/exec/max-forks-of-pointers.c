// run: --max-forks=0
// A pointer to one of several objects follows one of them where no fork is left.
#include <klee/klee.h>
int a[2], b[2], c[2];
int *objects[3] = {a, b, c};
int main(void) {
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 3);
  *objects[i] = 7;
  return a[0] + b[0] + c[0];
}
//~ paths: 1
//~ exits: 7
