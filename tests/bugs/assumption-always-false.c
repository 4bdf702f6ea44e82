#include <klee/klee.h>
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x > 10)
    klee_assume(x < 5); //~ user
  return 0;
}
//~ exits: 0*1
//~ replay: no, an assumption has no native meaning
