// run: --use-merge
// run: --use-merge --search=bfs
#include <klee/klee.h>
int main(void) {
  int x, y = 0, a[3] = {0, 0, 0};
  klee_make_symbolic(&x, sizeof x, "x");
  klee_open_merge();
  if (x > 10)
    y = 1, a[0] = x;
  else if (x < -10)
    y = 2, a[1] = x;
  else
    a[2] = 5;
  klee_close_merge();
  if (y == 2)
    return a[1] < -10 ? 2 : 9;
  return 0;
}
//~ paths: 2
//~ exits: 0 2
