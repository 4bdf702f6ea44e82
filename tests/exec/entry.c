// run: --entry=check
#include <klee/klee.h>
int check(void) {
  char c;
  klee_make_symbolic(&c, 1, "c");
  if (c > 0)
    return 4;
  return 3;
}
int main(void) { return 0; }
//~ paths: 2
//~ exits: 3*1 4*1
