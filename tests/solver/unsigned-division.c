#include <klee/klee.h>
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x / 1000 == 1234 && x % 1000 == 567)
    return 1;
  if (x / 7 * 7 + x % 7 != x)
    return 2;
  return 0;
}
//~ paths: 3
//~ exits: 0*2 1*1
//~ test: x=1234567
