// run: --check=signed-overflow
#include <klee/klee.h>
int main(void) {
  int a = klee_range(-1000, 1000, "a"), b = klee_range(-1000, 1000, "b");
  if (a * b + a - b > 500000)
    return 1;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
