#include <klee/klee.h>
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned v = x - (x >> 1 & 0x55555555);
  v = (v & 0x33333333) + (v >> 2 & 0x33333333);
  v = ((v + (v >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
  if (v > 32)
    return 9;
  if (v == 32)
    return 1;
  if (v != (unsigned)__builtin_popcount(x))
    return 8;
  return 0;
}
//~ paths: 2
//~ test: x=0xffffffff
