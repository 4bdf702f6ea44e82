// Where the offset is known, one of the objects may be too small for it: an error there, and the others go on.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *blocks[3] = {malloc(3), malloc(8), malloc(9)};
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 3);
  klee_assume(j < 3);
  char *taken = malloc(10);
  blocks[j] = taken;
  blocks[i][5] = 7; //~ out-of-bounds: write of 1 byte, 3 past the end of block from malloc
  return taken[5] == 7 ? (i == j ? 1 : 99) : (i == 0 ? 98 : 2);
}
//~ exits: 1 2
