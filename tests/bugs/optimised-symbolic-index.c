// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <klee/klee.h>
unsigned table[16] = {5};
int main(void) {
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i > 16)
    return 0;
  return table[i] == 5 ? 1 : 2; //~ out-of-bounds: read of 4 bytes, 4 past the end of table (64 bytes)
}
//~ test: i=16
