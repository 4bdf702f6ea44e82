#include <klee/klee.h>
int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, 1, "x");
  klee_set_forking(0);
  int taken = 0;
  for (int i = 0; i < 8; i++)
    if (x >> i & 1)
      taken++;
  klee_set_forking(1);
  if (taken > 8)
    return 1;
  return 0;
}
//~ paths: 1
//~ exits: 0
