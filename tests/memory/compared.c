// Pointers to several objects compared with each other, before and after they are seen as one.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>
static int order(char *a, char *b) { return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b); }
int main(void) {
  char *rows[3];
  int before[3][3];
  for (int r = 0; r < 3; r++)
    rows[r] = calloc(12, 1);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      before[a][b] = order(rows[a], rows[b]);
  unsigned char i, k, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 3);
  klee_assume(k < 3);
  klee_assume(j < 12);
  char *p = rows[i], *q = rows[k];
  p[j] = 1;
  q[j] += 2;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      if (order(rows[a], rows[b]) != before[a][b])
        return 99;
  if (order(p, q) != before[i][k])
    return 98;
  if ((p == q) != (i == k))
    return 97;
  if (p == q)
    return p[j] == 3 ? 1 : 96;
  if (p == rows[2])
    return p[j] == 1 && q[j] == 2 ? 2 : 95;
  return 0;
}
//~ exits: 0 1 2
