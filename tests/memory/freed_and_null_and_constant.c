// All that can be wrong at once; what is right goes on.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
#include <klee/klee.h>
#include <stdlib.h>
static const char fixed[4] = "abc";
int main(void) {
  char *good = calloc(4, 1), *better = calloc(8, 1), *gone = calloc(4, 1);
  char *all[6] = {good, NULL, (char *)fixed, gone, better, (char *)8};
  free(gone);
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 6);
  klee_assume(j < 5);
  all[i][j] = 'x'; //~ null-pointer //~ read-only-write //~ use-after-free //~ out-of-bounds
  if (i != 0 && i != 4)
    return 99;
  if (i == 0 && j == 4)
    return 98;
  if (good[j & 3] == 'x')
    return i == 0 ? 1 : 97;
  return better[j] == 'x' ? 0 : 96;
}
//~ exits: 0 1
//~ replay: no, a write past the end or to freed memory may be silent natively
