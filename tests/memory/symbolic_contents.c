// The objects themselves hold symbolic bytes.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
int main(void) {
  unsigned short a[6], b[6], c[6] = {1, 2, 3, 4, 5, 6};
  unsigned char i, j;
  klee_make_symbolic(a, sizeof a, "a");
  klee_make_symbolic(b, sizeof b, "b");
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 3);
  klee_assume(j < 6);
  unsigned short *rows[3] = {a, b, c};
  unsigned short v = rows[i][j];
  if (v == 1000)
    return i < 2 ? 1 : 99;
  if (i == 2)
    return v == j + 1 ? 2 : 98;
  b[2] = 1000;
  rows[i][j] = 7;
  if (b[2] == 7)
    return i == 1 && j == 2 ? 3 : 97;
  return a[j] == 7 || b[j] == 7 ? 0 : 96;
}
//~ exits: 0 1 2 3
