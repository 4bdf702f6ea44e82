#include <klee/klee.h>
int main(void) {
  int x, m;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&m, sizeof m, "m");
  klee_assume((m > 0) & (m < 100));
  int r = x % m;
  if (r >= m || r <= -m)
    return 9;
  if (r < 0)
    return 1;
  return 0;
}
//~ exits: 0*1 1*1
//~ paths: 2
