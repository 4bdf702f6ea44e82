// Objects of odd sizes, read at odd places.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  unsigned char *rows[3];
  for (unsigned r = 0; r < 3; r++) {
    rows[r] = malloc(7 + 6 * r);
    for (unsigned c = 0; c < 7 + 6 * r; c++)
      rows[r][c] = 50 * r + c;
  }
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 3);
  klee_assume(j + 4 <= 7 + 6 * i);
  unsigned v;
  memcpy(&v, rows[i] + j, 4);
  unsigned first = 50 * i + j;
  if (v != first * 0x01010101u + 0x03020100u)
    return 99;
  v = ~v;
  memcpy(rows[i] + j, &v, 4);
  if (rows[2][18] == (unsigned char)~118)
    return i == 2 && j == 15 ? 1 : 98;
  for (unsigned c = 0; c < 7 + 6 * i; c++)
    if (rows[i][c] != (unsigned char)(c - j < 4u ? ~(50 * i + c) : 50 * i + c))
      return 97;
  return 0;
}
//~ exits: 0 1
