/* N rows, each its own block, reached through a block of pointers; one or two lookups at symbolic places; perhaps memory
   that has nothing to do with it. */
#include <klee/klee.h>
#include <stdlib.h>
#ifndef N
#define N 10
#endif
#ifndef LOOKUPS
#define LOOKUPS 1
#endif
#ifndef UNRELATED
#define UNRELATED 0
#endif
int main(void) {
  int **matrix = malloc(N * sizeof(int *));
  for (unsigned r = 0; r < N; r++)
    matrix[r] = calloc(N, sizeof(int));
  matrix[0][0] = 120;
#if UNRELATED
  char *unrelated = calloc(UNRELATED, 1);
  unrelated[0] = 1;
#endif
  unsigned i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < N);
  klee_assume(j < N);
  int found = 0;
  if (matrix[i][j] > 0)
    found += 1;
#if LOOKUPS == 2
  unsigned k, l;
  klee_make_symbolic(&k, sizeof k, "k");
  klee_make_symbolic(&l, sizeof l, "l");
  klee_assume(k < N);
  klee_assume(l < N);
  if (matrix[k][l] > 0)
    found += 2;
#endif
  return found;
}
