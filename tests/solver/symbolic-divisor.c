#include <klee/klee.h>
int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, 1, "a");
  klee_make_symbolic(&b, 1, "b");
  klee_assume(b != 0);
  klee_assume(a > 200);
  if (a / b == 5 && a % b == 40)
    return 1;
  return 0;
}
//~ exits: 0 1
