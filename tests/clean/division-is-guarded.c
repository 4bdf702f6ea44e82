#include <klee/klee.h>
int main(void) {
  int a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (b == 0)
    return 1;
  if (b == -1)
    return 2;
  if (a / b == a % b)
    return 3;
  return 4;
}
//~ paths: 4
//~ exits: 1 2 3 4
