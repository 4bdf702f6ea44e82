// The same for a write of several bytes, of which the last ones would land in the neighbour.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *rows[3];
  for (int r = 0; r < 3; r++)
    rows[r] = calloc(16, 1);
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 3);
  klee_assume(j <= 13);
  *(int *)(rows[i] + j) = 0x01010101; //~ out-of-bounds: write of 4 bytes
  int ones = 0;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 16; c++)
      ones += rows[r][c];
  if (ones == 4 && j < 13)
    return 0;
  return 99;
}
//~ exits: 0
//~ test: j=13
//~ replay: no, a write past the end may be silent natively
