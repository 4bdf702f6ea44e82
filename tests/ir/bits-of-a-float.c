#include <klee/klee.h>
// Bits of a float move through memory and integers without arithmetic on them.
int main(void) {
  float f;
  klee_make_symbolic(&f, sizeof f, "f");
  float copy = f;
  unsigned *bits = (unsigned *)&copy;
  if (*bits == 0x3f800000u)
    return 1;
  return 0;
}
//~ paths: 2
//~ test: f=0x3f800000
