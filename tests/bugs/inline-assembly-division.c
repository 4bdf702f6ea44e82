// A division of 128 bits by 64 stops the processor if the divisor is zero and if the quotient does not fit.
#include <klee/klee.h>
int main(void) {
  unsigned long high, low = 1, by = 1000;
  klee_make_symbolic(&high, sizeof high, "high");
  klee_assume(high == 7 || high == 1000 || high == 999);
  if (high == 7) {
    by = 0;
    __asm__("divq %2" : "+a"(low), "+d"(high) : "r"(by)); //~ division-by-zero
    return 1;
  }
  __asm__("divq %2" : "+a"(low), "+d"(high) : "r"(by)); //~ division-by-zero
  int quotient = 1, sign = 1;
  __asm__("idivl %2" : "+a"(quotient), "+d"(sign) : "r"(2)); //~ division-by-zero
  return 0;
}
