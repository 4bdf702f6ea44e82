// As many objects as a table may have before states of their own are cheaper.
// run: --memory={auto,merge,flat,segmented,dynamic} //~ paths: 2
// run: --memory=fork //~ paths: 200
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int *cells[200];
  for (int c = 0; c < 200; c++) {
    cells[c] = malloc(sizeof(int));
    *cells[c] = 3 * c;
  }
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 200);
  if (*cells[i] == 300)
    return 1;
  return 0;
}
//~ exits: 0 1
//~ test: i=100
