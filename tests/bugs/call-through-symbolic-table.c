#include <klee/klee.h>
static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*const table[3])(void) = {one, two};
int main(void) {
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 3);
  return table[i](); //~ invalid-call
}
//~ test: i=2
//~ exits: 1*1 2*1
