#include <klee/klee.h>
static const unsigned long powers[20] = {1ul, 10ul, 100ul, 1000ul, 10000ul, 100000ul, 1000000ul, 10000000ul,
  100000000ul, 1000000000ul, 10000000000ul, 100000000000ul, 1000000000000ul, 10000000000000ul, 100000000000000ul,
  1000000000000000ul, 10000000000000000ul, 100000000000000000ul, 1000000000000000000ul, 10000000000000000000ul};
int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, 1, "n");
  klee_assume(n < 20);
  unsigned long p = powers[n];
  if (p % 7 == 5 && p > 100000000)
    return 1;
  return 0;
}
//~ exits: 0 1
