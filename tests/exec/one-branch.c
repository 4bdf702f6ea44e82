#include <klee/klee.h>
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x == 42)
    return 1;
  return 0;
}
//~ paths: 2
//~ tests: 2
//~ exits: 0*1 1*1
//~ test: x=42
//~ covered: 100%
