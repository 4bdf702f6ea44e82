// run: --search=dfs
#include <klee/klee.h>
// Eight inputs that have nothing to do with each other: a query is about one of them.
int main(void) {
  unsigned v[8];
  klee_make_symbolic(v, sizeof v, "v");
  int hits = 0;
  for (int i = 0; i < 8; i++)
    if (v[i] * 7 + 3 == (unsigned)i)
      hits++;
  return hits;
}
//~ paths: 256
//~ exits: 0*1 1*8 2*28 3*56 4*70 5*56 6*28 7*8 8*1
