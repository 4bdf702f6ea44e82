#include <assert.h>
#include <klee/klee.h>
int main(void) {
  unsigned char table[8] = {0}, i, j;
  klee_make_symbolic(&i, 1, "i");
  klee_make_symbolic(&j, 1, "j");
  klee_assume(i < 8);
  klee_assume(j < 8);
  table[i] = 5;
  table[j] += 1;
  if (table[i] == 6) {
    assert(i == j);
    return 1;
  }
  assert(i != j);
  assert(table[j] == 1);
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
