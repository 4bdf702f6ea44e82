// A row keeps what was written through a pointer to any of them when it is enlarged.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char *rows[3];
  for (int r = 0; r < 3; r++)
    rows[r] = calloc(16, 1);
  unsigned char i, j, x;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(i < 3);
  klee_assume(j < 16);
  klee_assume(x > 0);
  rows[i][j] = x;
  rows[0] = realloc(rows[0], 40);
  rows[2] = realloc(rows[2], 9);
  if (i == 2 && j >= 9)
    return 2;
  if (rows[i][j] != x)
    return 99;
  if (rows[0][15] == 200)
    return i == 0 && j == 15 && x == 200 ? 1 : 98;
  rows[0][16 + j] = 1;
  return rows[0][16 + j] == 1 && rows[i][j] == x ? 0 : 97;
}
//~ exits: 0 1 2
//~ test: i=0 j=15 x=200
