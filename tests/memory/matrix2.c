// Two lookups: the paths of the first multiplied by those of the second.
// run: --memory=fork //~ paths: 121 //~ exits: 0*100 1*10 2*10 3*1
// run: --memory={auto,merge,flat,segmented,dynamic} //~ paths: 4 //~ exits: 0*1 1*1 2*1 3*1
// run: --memory=fork --cc-flags=-DN=20 //~ paths: 441
// run: --memory=dynamic --cc-flags=-DN=20 //~ paths: 4
#include <klee/klee.h>
#include <stdlib.h>
#ifndef N
#define N 10
#endif
int main(void) {
  int **matrix = malloc(N * sizeof(int *));
  for (unsigned r = 0; r < N; r++)
    matrix[r] = calloc(N, sizeof(int));
  matrix[0][0] = 120;
  unsigned i, j, k, l;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_make_symbolic(&l, sizeof l, "l");
  klee_assume(i < N);
  klee_assume(j < N);
  klee_assume(k < N);
  klee_assume(l < N);
  int r = 0;
  if (matrix[i][j] > 0)
    r += 1;
  if (matrix[k][l] > 0)
    r += 2;
  return r;
}
//~ exits: 0 1 2 3
//~ test: i=0 j=0 k=0 l=0
