// run: --use-merge
#include <klee/klee.h>
/* Counts set flags: 16 paths without merging, 5 values afterwards with it. */
int main(void) {
  unsigned char flags[4];
  int count = 0;
  klee_make_symbolic(flags, sizeof flags, "flags");
  klee_open_merge();
  for (int i = 0; i < 4; i++)
    if (flags[i] & 1)
      count++;
  klee_close_merge();
  switch (count) {
  case 0:
    return 0;
  case 4:
    return 4;
  default:
    return 1;
  }
}
//~ paths: 3
//~ exits: 0 1 4
