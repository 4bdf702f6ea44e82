// One byte before a large object is no chunk's, and an error.
// run: --memory={auto,fork,merge,dynamic} --split={64,128} --split-threshold=100
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *letters = calloc(400, 1);
  int i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i >= -1);
  klee_assume(i < 100);
  letters[10] = 'x';
  if (letters[i] == 'x') //~ out-of-bounds
    return 1;
  return 0;
}
//~ exits: 0 1
//~ test: i=-1
