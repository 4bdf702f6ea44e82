#include <klee/klee.h>
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (3 * x + 7 == 100)
    return 1;
  return 0;
}
//~ paths: 2
//~ test: x=31
