// Before the beginning of one row is the end of another.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  short *rows[3];
  for (int r = 0; r < 3; r++)
    rows[r] = calloc(8, sizeof(short));
  unsigned char i;
  signed char j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 3);
  klee_assume(j >= -2);
  klee_assume(j < 8);
  return rows[i][j]; //~ out-of-bounds: read of 2 bytes
}
//~ exits: 0
//~ replay: no, a read before the beginning is silent natively
