// An object that was split is copied, filled and given to functions as a whole.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  unsigned char *one = calloc(48, 1), *two = malloc(48);
  unsigned char i, j, x;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(i < 48);
  klee_assume(j < 48);
  klee_assume(x != 0);
  one[i] = x;
  memcpy(two, one, 48);
  memset(one, 0, 24);
  if (two[i] != x)
    return 99;
  if (one[j] == x)
    return i == j && j >= 24 ? 1 : 98;
  if (two[j] == x)
    return i == j && j < 24 ? 2 : 97;
  memmove(two + 1, two, 47);
  if (two[i + (i < 47)] != (i < 47 ? x : 0))
    return 96;
  return 0;
}
//~ exits: 0 1 2
