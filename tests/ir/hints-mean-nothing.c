// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <klee/klee.h>
int main(void) {
  int x = klee_range(0, 100, "x");
  if (__builtin_expect(x == 3, 0))
    return 3;
  __builtin_prefetch(&x);
  __builtin_assume(x != 3);
  assert(__builtin_constant_p(4) && x != 3);
  char buf[10];
  assert(__builtin_object_size(buf, 0) == 10);
  return 0;
}
//~ exits: 0 3
