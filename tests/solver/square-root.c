#include <klee/klee.h>
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x < 65536);
  if (x * x == 1522756u)
    return 1;
  if (x * x == 1522757u)
    return 2;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
//~ test: x=1234
