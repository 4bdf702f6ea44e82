// Rows are freed and new ones allocated after they were written as one array.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char *rows[3];
  for (int r = 0; r < 3; r++)
    rows[r] = calloc(16, 1);
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 3);
  klee_assume(j < 16);
  rows[i][j] = 9;
  free(rows[1]);
  rows[1] = calloc(24, 1);
  rows[1][3] = 4;
  unsigned char v = rows[i][j];
  if (i == 1)
    return v == (j == 3 ? 4 : 0) ? 1 : 99;
  if (v != 9)
    return 98;
  free(rows[0]);
  free(rows[2]);
  rows[0] = rows[1];
  rows[2] = rows[1];
  rows[i][j] = 5;
  return rows[1][j] == 5 ? 0 : 97;
}
//~ exits: 0 1
