#include <klee/klee.h>
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x > 10)
    if (x < 5)
      return 99;
  if (x * 2 == 7)
    return 98;
  return 0;
}
//~ paths: 2
//~ exits: 0*2
