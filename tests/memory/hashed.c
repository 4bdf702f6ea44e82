// Pointers hashed, encrypted and packed with marks in their low bits: addresses never move.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>
static unsigned hash(const void *p) {
  uintptr_t bits = (uintptr_t)p;
  unsigned h = 5381;
  for (int b = 0; b < 8; b++)
    h = h * 33 + (unsigned char)(bits >> 8 * b);
  return h;
}
int main(void) {
  long *rows[4];
  unsigned before[4];
  for (int r = 0; r < 4; r++) {
    rows[r] = calloc(4, sizeof(long));
    before[r] = hash(rows[r]);
  }
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 4);
  klee_assume(j < 4);
  rows[i][j] = 42;
  for (int r = 0; r < 4; r++)
    if (hash(rows[r]) != before[r])
      return 99;
  uintptr_t hidden = ~(uintptr_t)rows[i];
  long *shown = (long *)~hidden;
  if (shown[j] != 42)
    return 98;
  uintptr_t marked = (uintptr_t)(rows[i] + j) | 3;
  if ((marked & 7) != 3)
    return 97;
  *(long *)(marked & ~(uintptr_t)7) = 43;
  if (rows[1][2] == 43)
    return i == 1 && j == 2 ? 1 : 96;
  return 0;
}
//~ exits: 0 1
//~ test: i=1 j=2
