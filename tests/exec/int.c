#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  if (x == -77)
    return 1;
  return 0;
}
//~ paths: 2
//~ test: x=-77
