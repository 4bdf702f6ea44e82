// run: --check=uninitialised
#include <klee/klee.h>
int main(void) {
  int a, b;
  char flag;
  klee_make_symbolic(&flag, 1, "flag");
  a = 1;
  int *which = flag ? &a : &b;
  if (flag)
    return *which;
  return 0;
}
//~ exits: 0 1
