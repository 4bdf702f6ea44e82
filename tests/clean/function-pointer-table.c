#include <klee/klee.h>
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int (*const table[])(int, int) = {add, subtract};
int main(void) {
  unsigned op;
  klee_make_symbolic(&op, sizeof op, "op");
  if (op >= 2)
    return 100;
  return table[op](5, 3);
}
//~ exits: 2*1 8*1 100*1
//~ paths: 3
