// The second figure of "Relocatable Addressing Model for Symbolic Execution": a pointer that may lead to two objects, of
// which the first two chunks of 64 bytes can be reached.
// run: --memory=fork //~ paths: 2
// run: --memory={auto,merge,flat,segmented,dynamic} //~ paths: 1
// run: --memory=fork --split=64 --split-threshold=100 //~ paths: 4
// run: --memory={auto,merge,dynamic} --split=64 --split-threshold=100 //~ paths: 1
// run: --memory=fork --split=64 --split-threshold=256 //~ paths: 2
// run: --memory=fork --split=128 --split-threshold=100 //~ paths: 2
#include <klee/klee.h>
#include <stdlib.h>
#define N 2
int main(void) {
  char **array = calloc(N, sizeof(char *));
  for (unsigned i = 0; i < N; i++)
    array[i] = calloc(256, 1);
  unsigned i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < N);
  klee_assume(j < 100);
  if (array[i][j] == 1)
    return 1;
  return 0;
}
//~ exits: 0
