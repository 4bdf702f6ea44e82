#include <klee/klee.h>
int main(void) {
  unsigned char size;
  klee_make_symbolic(&size, sizeof size, "size");
  unsigned slot = 12345 % size; //~ division-by-zero: remainder by zero
  return slot < 255 ? 0 : 1;
}
//~ test: size=0
//~ exits: 0*1
