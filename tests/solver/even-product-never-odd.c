#include <klee/klee.h>
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x * 6 == 0x80000001u)
    return 1;
  if (x * (x + 1) % 2 == 1)
    return 2;
  return 0;
}
//~ paths: 1
//~ exits: 0
