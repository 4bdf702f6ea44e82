// What is written through a pointer that may lead anywhere is there, and all else is as it was.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split={8,16} --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int *rows[3];
  for (int r = 0; r < 3; r++) {
    rows[r] = malloc(5 * sizeof(int));
    for (int c = 0; c < 5; c++)
      rows[r][c] = 10 * r + c;
  }
  unsigned char i, j, k, l, x;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_make_symbolic(&l, sizeof l, "l");
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(i < 3);
  klee_assume(j < 5);
  klee_assume(k < 3);
  klee_assume(l < 5);
  rows[i][j] = 1000 + x;
  int v = rows[k][l];
  if (v >= 1000) {
    if (i != k || j != l || v != 1000 + x)
      return 99;
    if (x == 77)
      return 1;
    return 2;
  }
  if (v != 10 * k + l || (i == k && j == l))
    return 98;
  rows[k][l] = 2000;
  if (rows[i][j] != 1000 + x || rows[k][l] != 2000)
    return 97;
  int sum = 0;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 5; c++)
      sum += rows[r][c];
  return sum == 3000 + x + 180 - (10 * i + j) - (10 * k + l) ? 0 : 96;
}
//~ exits: 0 1 2
//~ test: x=77
