// One of the objects has a symbolic size: its limit is checked where it is the target.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char size, i, j;
  klee_make_symbolic(&size, sizeof size, "size");
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(size >= 4);
  klee_assume(size <= 8);
  klee_assume(i < 2);
  klee_assume(j < 8);
  char *rows[2] = {malloc(size), malloc(8)};
  rows[i][j] = 1; //~ out-of-bounds
  if (i == 0 && j >= size)
    return 99;
  if (rows[i][j] != 1)
    return 98;
  return 0;
}
//~ exits: 0
//~ replay: no, a write past the end may be silent natively
