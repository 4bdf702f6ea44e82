// What is in order in a large row is not in a small one.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char *rows[4];
  for (unsigned r = 0; r < 4; r++) {
    rows[r] = malloc(5 * r + 5);
    for (unsigned c = 0; c < 5 * r + 5; c++)
      rows[r][c] = 5 * r + c;
  }
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 4);
  klee_assume(j < 20);
  unsigned char v = rows[i][j]; //~ out-of-bounds: past the end
  if (j >= 5 * i + 5)
    return 99;
  if (v != 5 * i + j)
    return 98;
  if (v == 34)
    return i == 3 && j == 19 ? 34 : 97;
  if (v == 0)
    return i == 0 && j == 0 ? 1 : 96;
  return 0;
}
//~ exits: 0 1 34
//~ test: i=3 j=19
//~ replay: no, a read past the end is silent natively
