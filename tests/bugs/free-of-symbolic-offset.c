#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char skip;
  klee_make_symbolic(&skip, 1, "skip");
  klee_assume(skip < 2);
  char *block = malloc(8);
  free(block + skip); //~ invalid-free: block from malloc
  return 0;
}
//~ test: skip=1
//~ exits: 0*1
