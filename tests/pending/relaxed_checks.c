// Errors that are looked for later are found all the same, and the paths without them go on.
// run: --no-pending
// run: --pending
// run: --relaxed-checks --search={dfs,bfs,random-path}
// run: --relaxed-checks --memory=fork
//~ exits: 0*1 1*1 2*1
#include <klee/klee.h>
int main(void) {
  unsigned char i, d;
  int a[4] = {1, 2, 3, 4};
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&d, sizeof d, "d");
  klee_assume(i <= 4);
  int x = a[i];   //~ out-of-bounds
  int y = 10 / d; //~ division-by-zero
  if (x == 3)
    return 1;
  if (y == 5)
    return 2;
  return 0;
}
