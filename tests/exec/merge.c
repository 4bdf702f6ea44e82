#include <klee/klee.h>
// A hint: with or without merging the answers are the same.
int main(void) {
  int x = klee_range(0, 4, "x"), y;
  klee_open_merge();
  if (x == 2)
    y = 5;
  else
    y = 6;
  klee_close_merge();
  if (y == 5)
    return 1;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
