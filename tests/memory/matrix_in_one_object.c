// The same matrix as one object: no model has anything to decide, unless it splits.
// run: --memory={auto,fork,merge,flat,single,segmented,dynamic} //~ paths: 2
// run: --memory={auto,merge,dynamic} --split=64 --split-threshold=100 //~ paths: 2
// run: --memory=fork --split=64 --split-threshold=100 //~ paths: 8
#include <klee/klee.h>
#define N 10
static int matrix[N][N];
int main(void) {
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
