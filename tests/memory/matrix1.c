// One lookup in a matrix of rows with blocks of their own: each row a path, and one more for the row with the value in it;
// or only the two ways of the branch.
// run: --memory=fork //~ paths: 11 //~ exits: 0*10 1*1
// run: --memory={auto,merge,flat,segmented,dynamic} //~ paths: 2 //~ exits: 0*1 1*1
// run: --memory=fork --split=16 --split-threshold=16 //~ paths: 31 //~ exits: 0*30 1*1
// run: --memory={auto,merge,flat,segmented,dynamic} --split=16 --split-threshold=16 //~ paths: 2 //~ exits: 0*1 1*1
// run: --memory=dynamic --cc-flags=-DN=40 //~ paths: 2
// run: --memory=fork --cc-flags=-DN=40 //~ paths: 41
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
  unsigned i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < N);
  klee_assume(j < N);
  if (matrix[i][j] > 0)
    return 1;
  return 0;
}
//~ exits: 0 1
//~ test: i=0 j=0
