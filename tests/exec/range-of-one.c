#include <klee/klee.h>
int main(void) {
  if (klee_range(5, 6, "x") == 5)
    return 0;
  return 1;
}
//~ paths: 1
//~ exits: 0
