#include <klee/klee.h>
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  if ((x & 1) == 2)
    return 1;
  return 0;
}
//~ covered: 4/5
