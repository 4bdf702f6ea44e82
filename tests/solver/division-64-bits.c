#include <klee/klee.h>
int main(void) {
  unsigned long x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x / 1000000007ul == 12345678901ul && x % 1000000007ul == 5)
    return 1;
  return 0;
}
//~ exits: 0 1
