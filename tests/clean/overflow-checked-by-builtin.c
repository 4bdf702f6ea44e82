// run: --check=signed-overflow
#include <klee/klee.h>
int main(void) {
  int a, b, result;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (__builtin_mul_overflow(a, b, &result))
    return 1;
  if (__builtin_add_overflow(result, 5, &result))
    return 2;
  return 0;
}
//~ paths: 3
//~ exits: 0 1 2
