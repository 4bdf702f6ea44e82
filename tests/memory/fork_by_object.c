// A state for each object and not for each pointer: three of the four lead into the same one.
// run: --memory=fork //~ paths: 2
// run: --memory={auto,merge,flat,segmented,dynamic} //~ paths: 1
// run: --memory=fork --split=16 --split-threshold=16 //~ paths: 3
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *a = calloc(12, 1), *b = calloc(12, 1), *pointers[4] = {a, a + 4, b, a + 7};
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 4);
  klee_assume(j < 5);
  pointers[i][j] = 3;
  int sum = 0;
  for (int c = 0; c < 12; c++)
    sum += a[c] + b[c];
  return sum == 3 ? 0 : 99;
}
//~ exits: 0
