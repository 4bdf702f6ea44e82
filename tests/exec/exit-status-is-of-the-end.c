// An exit handler splits the path after the status was given: each path has the status of its own inputs.
#include <klee/klee.h>
#include <stdlib.h>
int x;
volatile int sink;
static void handler(void) {
  if (x > 10)
    sink = 1;
}
int main(void) {
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume((x == 3) | (x == 20));
  atexit(handler);
  return x;
}
//~ paths: 2
//~ exits: 3 20
