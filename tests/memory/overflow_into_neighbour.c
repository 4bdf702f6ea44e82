// Rows that lie side by side in one array are still apart: an index that leaves a row is an error, though a neighbour's
// bytes would be there to be read.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,flat,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *rows[3];
  for (int r = 0; r < 3; r++) {
    rows[r] = malloc(16);
    for (int c = 0; c < 16; c++)
      rows[r][c] = 16 * r + c;
  }
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 3);
  klee_assume(j <= 16);
  char v = rows[i][j]; //~ out-of-bounds: read of 1 byte
  if (j == 16)
    return 99;
  if (v == 16 * i + j)
    return 0;
  return 98;
}
//~ exits: 0
//~ test: j=16
//~ replay: no, a read of one byte past the end is silent natively
