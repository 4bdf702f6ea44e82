#include <klee/klee.h>
int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, 1, "x");
  klee_print_expr("value:", x);
  klee_print_expr("constant:", 12);
  return 0;
}
//~ paths: 1
//~ prints: value:
//~ prints: constant:
//~ prints: 12
