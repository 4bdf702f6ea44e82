#include <klee/klee.h>
// 251 is prime.
int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, 1, "a");
  klee_make_symbolic(&b, 1, "b");
  klee_assume(a > 1);
  klee_assume(b > 1);
  if (a * b == 251)
    return 1;
  return 0;
}
//~ paths: 1
//~ exits: 0
