#include <klee/klee.h>
int main(void) {
  unsigned x, n;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&n, sizeof n, "n");
  unsigned left = x << (n & 31) | x >> (-n & 31);
  unsigned back = left >> (n & 31) | left << (-n & 31);
  if (back != x)
    return 1;
  return 0;
}
//~ paths: 1
//~ exits: 0
