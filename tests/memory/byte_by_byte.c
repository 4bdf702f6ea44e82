// Pointers that go through memory byte by byte and come back.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  int *rows[4], *back;
  for (int r = 0; r < 4; r++) {
    rows[r] = malloc(4 * sizeof(int));
    for (int c = 0; c < 4; c++)
      rows[r][c] = 10 * r + c;
  }
  unsigned char i, j, bytes[2 * sizeof(int *)];
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 4);
  klee_assume(j < 4);
  int *p = rows[i];
  unsigned char *from = (unsigned char *)&p;
  for (unsigned b = 0; b < sizeof p; b++)
    bytes[2 * b] = from[b];
  unsigned char *to = (unsigned char *)&back;
  for (unsigned b = 0; b < sizeof p; b++)
    to[sizeof p - 1 - b] = bytes[2 * (sizeof p - 1 - b)];
  if (back != rows[i])
    return 99;
  back[j] += 100;
  if (rows[i][j] != 100 + 10 * i + j)
    return 98;
  int *copies[4];
  memcpy(copies, rows, sizeof rows);
  if (copies[2][3] == 123)
    return i == 2 && j == 3 ? 1 : 97;
  return 0;
}
//~ exits: 0 1
//~ test: i=2 j=3
