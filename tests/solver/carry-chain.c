#include <klee/klee.h>
int main(void) {
  unsigned long a;
  klee_make_symbolic(&a, sizeof a, "a");
  unsigned low = (unsigned)a, high = (unsigned)(a >> 32);
  unsigned sum = low + high;
  if (sum < low && sum == 5 && high == 0xfffffffeu)
    return 1;
  return 0;
}
//~ exits: 0 1
//~ test: a=0xfffffffe00000007
