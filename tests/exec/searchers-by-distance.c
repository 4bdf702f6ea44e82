// run: --search=nurs:depth
// run: --search=nurs:icnt
// run: --search=nurs:cpicnt
// run: --search=nurs:md2u
// run: --search=nurs:qc
#include <klee/klee.h>
int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n < 10);
  unsigned i = 0;
  while (i < n)
    i++;
  return i;
}
//~ paths: 10
//~ exits: 0*1 1*1 2*1 3*1 4*1 5*1 6*1 7*1 8*1 9*1
