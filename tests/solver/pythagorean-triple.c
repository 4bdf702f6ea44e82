#include <klee/klee.h>
int main(void) {
  unsigned char c[3];
  klee_make_symbolic(c, sizeof c, "c");
  klee_assume((c[0] < c[1]) & (c[1] < c[2]) & (c[2] < 20));
  if (c[0] * c[0] + c[1] * c[1] == c[2] * c[2] && c[0] + c[1] + c[2] == 40)
    return 1;
  return 0;
}
//~ exits: 0 1
//~ test: c="\x08\x0f\x11"
