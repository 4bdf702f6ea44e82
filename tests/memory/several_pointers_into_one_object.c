// Several of the pointers that are chosen from lead into the same object: it is one object still.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split={8,16} --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int *a = calloc(12, sizeof(int)), *b = calloc(6, sizeof(int));
  int *pointers[4] = {a, a + 4, b + 1, a + 7};
  unsigned char i, j, k;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(i < 4);
  klee_assume(k < 4);
  klee_assume(j < 5);
  for (int c = 0; c < 12; c++)
    a[c] = c + 1;
  pointers[i][0] = 50;
  pointers[k][j] += 100;
  if (i == 2 && b[1] != (k == 2 && j == 0 ? 150 : 50))
    return 99;
  if (i == 1 && k == 0) {
    if (a[4] == 150)
      return j == 4 ? 1 : 98;
    return a[4] == 50 && a[j] == j + 101 ? 2 : 97;
  }
  int sum = 0;
  for (int c = 0; c < 12; c++)
    sum += a[c];
  for (int c = 0; c < 6; c++)
    sum += b[c];
  int lost = i == 0 ? 1 : i == 1 ? 5 : i == 3 ? 8 : 0;
  return sum == 78 + 50 + 100 - lost ? 0 : 96;
}
//~ exits: 0 1 2
