#include <klee/klee.h>
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "first");
  int old = x;
  klee_make_symbolic(&x, sizeof x, "second");
  if (old == x)
    return 1;
  return 0;
}
//~ paths: 2
