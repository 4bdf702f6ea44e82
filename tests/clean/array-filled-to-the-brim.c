#include <klee/klee.h>
int main(void) {
  char buf[4];
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i < sizeof buf)
    buf[i] = 1;
  return 0;
}
//~ paths: 2
