#include <klee/klee.h>
// Two objects of one name are two inputs.
int main(void) {
  char a, b;
  klee_make_symbolic(&a, 1, "c");
  klee_make_symbolic(&b, 1, "c");
  if (a == 1)
    if (b == 2)
      return 1;
  return 0;
}
//~ paths: 3
