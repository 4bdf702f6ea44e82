#include <klee/klee.h>
static unsigned count(unsigned n) { return n == 0 ? 0 : 1 + count(n - 2); }
int main(void) {
  unsigned n = (unsigned)klee_range(0, 4, "n");
  if (n == 3)
    count(n);
  return 0;
}
//~ error: stack-overflow
//~ exits: 0*1
