#include <klee/klee.h>
int main(void) {
  unsigned amount;
  klee_make_symbolic(&amount, sizeof amount, "amount");
  klee_assume(amount <= 64);
  unsigned long bit = 1ul << amount; //~ overshift: shift of a 64-bit value by 64
  return bit == 0;
}
//~ test: amount=64
//~ exits: 0*1
