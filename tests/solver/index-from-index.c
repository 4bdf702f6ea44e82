#include <klee/klee.h>
int main(void) {
  unsigned char table[4] = {1, 2, 3, 0}, i;
  klee_make_symbolic(&i, 1, "i");
  klee_assume(i < 4);
  table[table[i]] = 9;
  if (table[0] == 9)
    return 1;
  if (i == 3)
    return 8;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
//~ test: i=3
