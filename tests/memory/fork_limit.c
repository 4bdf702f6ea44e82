// Where states may not fork, a pointer follows the witness under fork; the others need no state.
// run: --memory={auto,merge,flat,segmented,dynamic} --max-forks=1 //~ exits: 0 1
// run: --memory=fork --max-forks=0 //~ paths: 1
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *rows[4];
  for (int r = 0; r < 4; r++) {
    rows[r] = calloc(4, 1);
    rows[r][r] = 1;
  }
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 4);
  if (rows[i][2])
    return 1;
  return 0;
}
//~ partial: 0
