// A pointer one past the end is a value like any other; to read there is an error.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *rows[3], *ends[3];
  for (int r = 0; r < 3; r++) {
    rows[r] = calloc(9, 1);
    ends[r] = rows[r] + 9;
    rows[r][8] = r + 1;
  }
  unsigned char i, k;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(i < 3);
  klee_assume(k < 3);
  char *p = rows[i], *end = ends[i];
  if (end - p != 9 || end == p || p + 9 != end || end <= p)
    return 99;
  int sum = 0;
  for (; p != end; p++)
    sum += *p;
  if (sum != i + 1)
    return 98;
  if (end[-1] != i + 1)
    return 97;
  if (k == i)
    return 1;
  return *ends[k] + 2; //~ out-of-bounds: past the end
}
//~ exits: 1
//~ replay: no, a read past the end is silent natively
