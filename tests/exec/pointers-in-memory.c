#include <assert.h>
#include <klee/klee.h>
// A table of pointers, indexed by a symbol, and written through.
static int a = 1, b = 2, c = 3;
static int *table[3] = {&a, &b, &c};
int main(void) {
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 3);
  *table[i] = 50;
  assert(a + b + c == 50 + 6 - (int)(i + 1));
  if (b == 50)
    return 2;
  return 0;
}
//~ exits: 0 2
//~ test: i=1
