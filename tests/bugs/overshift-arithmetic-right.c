#include <klee/klee.h>
int main(void) {
  int amount = klee_range(30, 34, "amount");
  int value = -8 >> amount; //~ overshift: shift of a 32-bit value by 3
  return value == -1 ? 0 : 1;
}
//~ exits: 0*1
