#include <klee/klee.h>
int main(void) {
  char a, b;
  klee_make_symbolic(&a, 1, "a");
  klee_make_symbolic(&b, 1, "b");
  if (a == 'x' && b == 'y')
    return 1;
  return 0;
}
//~ paths: 3
//~ exits: 0*2 1*1
//~ test: a=0x78 b=0x79
