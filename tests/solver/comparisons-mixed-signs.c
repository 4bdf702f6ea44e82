#include <klee/klee.h>
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x < 0) {
    if ((unsigned)x < 0x80000000u)
      return 9;
    return 1;
  }
  if ((unsigned)x >= 0x80000000u)
    return 9;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
