#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x)
    atexit(abort);
  return 0;
}
//~ error: abort: abort called
//~ paths: 2
