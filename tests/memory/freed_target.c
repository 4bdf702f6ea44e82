// One of the objects that a pointer may lead to is gone.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int *rows[4];
  for (int r = 0; r < 4; r++) {
    rows[r] = calloc(4, sizeof(int));
    rows[r][1] = r + 10;
  }
  free(rows[2]);
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 4);
  klee_assume(j < 4);
  int v = rows[i][j]; //~ use-after-free
  if (v == 10)
    return i == 0 && j == 1 ? 1 : 99;
  if (v == 12)
    return 98;
  if (v == 13)
    return i == 3 && j == 1 ? 3 : 97;
  return 0;
}
//~ exits: 0 1 3
//~ test: i=2
//~ replay: no, what a read of freed memory gives natively is up to the allocator
