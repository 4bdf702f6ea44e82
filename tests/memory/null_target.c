// A null pointer among the targets, for a read and for a write.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=4
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int *rows[4];
  for (int r = 0; r < 4; r++)
    rows[r] = calloc(4, sizeof(int));
  free(rows[1]);
  rows[1] = NULL;
  unsigned char i, j, write;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&write, sizeof write, "write");
  klee_assume(i < 4);
  klee_assume(j < 4);
  if (write)
    rows[i][j] = 5; //~ null-pointer
  else
    return rows[i][j] != 0; //~ null-pointer
  if (rows[0][3] == 5)
    return i == 0 && j == 3 ? 4 : 99;
  return 5;
}
//~ exits: 0 4 5
//~ test: i=1
