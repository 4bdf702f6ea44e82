#include <klee/klee.h>
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x > 100);
  int one = klee_get_value_i32(x);
  if (klee_is_symbolic(one) || one <= 100)
    return 1;
  if (klee_get_value_i64(17) != 17)
    return 2;
  return 0;
}
//~ paths: 1
//~ exits: 0
