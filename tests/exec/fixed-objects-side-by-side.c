// run: --memory=fork
// A pointer that is computed, not chosen, reaches either of two fixed objects and nothing between them.
//~ replay: no, the addresses may be taken
#include <klee/klee.h>
int main(void) {
  klee_define_fixed_object((void *)0x2000000, 16);
  klee_define_fixed_object((void *)0x2000100, 16);
  *(char *)0x2000000 = 1;
  *(char *)0x2000100 = 2;
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 2);
  unsigned long address = 0x2000000ul | (unsigned long)i << 8;
  return *(char *)address;
}
//~ paths: 2
//~ exits: 1 2
