// A constant among the targets of a write; a read of it is in order.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
static const int fixed[4] = {1, 2, 3, 4};
static int global[4] = {5, 6, 7, 8};
int main(void) {
  int local[4] = {9, 10, 11, 12};
  int *rows[3] = {local, (int *)fixed, global};
  unsigned char i, j, k;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(i < 3);
  klee_assume(j < 4);
  klee_assume(k < 3);
  int before = rows[i][j];
  if (before < 1 || before > 12)
    return 99;
  rows[k][j] = 77; //~ read-only-write
  if (k == 1 || fixed[j] == 77)
    return 98;
  if (local[j] == 77)
    return k == 0 ? 1 : 97;
  return global[j] == 77 && k == 2 ? 2 : 96;
}
//~ exits: 1 2
//~ test: k=1
