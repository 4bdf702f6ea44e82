#include <klee/klee.h>
int main(void) {
  unsigned long a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(a < 1000);
  klee_assume(b > 0xfffffffffffffff0ul);
  unsigned __int128 product = (unsigned __int128)a * b;
  unsigned long high = product >> 64;
  if (high == 998)
    return 1;
  if (high > 998)
    return 9;
  return 0;
}
//~ paths: 2
//~ test: a=999
