// Follows a pointer to one object, and says that it leaves the others out.
// run: --memory=single //~ paths: 1..2 //~ exits: 0 //~ prints: may lead to several objects
// run: --memory=fork //~ paths: 4 //~ exits: 0*3 1*1
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *rows[4];
  for (int r = 0; r < 4; r++)
    rows[r] = calloc(4, 1);
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 4);
  /* The witness of a fresh input is zero: the row that is followed is the first. */
  rows[3][0] = 7;
  if (rows[i][0] == 7)
    return 1;
  return 0;
}
//~ partial: 0
