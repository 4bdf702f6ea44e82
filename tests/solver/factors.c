#include <klee/klee.h>
int main(void) {
  unsigned short a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(a > 1);
  klee_assume(b > a);
  if ((unsigned)a * b == 8633u)
    return 1;
  return 0;
}
//~ paths: 2
//~ test: a=89 b=97
