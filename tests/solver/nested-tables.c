#include <klee/klee.h>
// A permutation applied three times: exactly one start reaches 6.
static const unsigned char next[8] = {3, 6, 0, 5, 1, 7, 2, 4};
int main(void) {
  unsigned char i;
  klee_make_symbolic(&i, 1, "i");
  klee_assume(i < 8);
  if (next[next[next[i]]] == 6)
    return 1;
  return 0;
}
//~ paths: 2
//~ test: i=7
