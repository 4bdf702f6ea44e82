// The pointer that is freed is itself symbolic.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *rows[3];
  for (int r = 0; r < 3; r++) {
    rows[r] = calloc(8, 1);
    rows[r][r] = 1;
  }
  unsigned char i, k;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(i < 3);
  klee_assume(k < 3);
  char v = rows[i][1];
  free(rows[i]);
  if (i == k)
    return v == (i == 1) ? 1 : 99;
  free(rows[k]);
  if (i + k != 2)
    return 0;
  return rows[i][0]; //~ use-after-free
}
//~ exits: 0 1
//~ replay: no, what a read of freed memory gives natively is up to the allocator
