#include <assert.h>
#include <klee/klee.h>
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  assert(x != 5); //~ assertion: assertion failed: x != 5
  return 0;
}
//~ test: x=5
//~ tests: 2
//~ exits: 0*1
