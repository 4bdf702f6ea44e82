#include <klee/klee.h>
int main(void) {
  short table[8] = {0};
  int i = klee_range(-1, 9, "i");
  if (i < 4)
    table[i] = 1; //~ out-of-bounds: write of 2 bytes, 2 before the start of table (16 bytes)
  else
    table[i] = 2; //~ out-of-bounds: write of 2 bytes, 2 past the end of table (16 bytes)
  return 0;
}
//~ test: i=-1
//~ test: i=8
//~ exits: 0*2
