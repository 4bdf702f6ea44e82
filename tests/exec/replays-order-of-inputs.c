#include <klee/klee.h>
// Inputs are made in an order that depends on inputs.
int main(void) {
  char first;
  short second;
  klee_make_symbolic(&first, 1, "first");
  if (first == 1) {
    klee_make_symbolic(&second, 2, "second");
    if (second == 0x1234)
      return 1;
    return 2;
  }
  return 3;
}
//~ paths: 3
//~ exits: 1*1 2*1 3*1
//~ test: first=1 second=0x1234
