// Freed by one name, and once more by another that may be the same.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *rows[3];
  for (int r = 0; r < 3; r++)
    rows[r] = calloc(8, 1);
  unsigned char i, k;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(i < 3);
  klee_assume(k < 3);
  rows[i][k] = 1;
  free(rows[i]);
  free(rows[k]); //~ double-free
  return 0;
}
//~ exits: 0
