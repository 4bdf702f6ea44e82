#include <klee/klee.h>
int main(void) {
  unsigned value, amount;
  klee_make_symbolic(&value, sizeof value, "value");
  klee_make_symbolic(&amount, sizeof amount, "amount");
  unsigned rotated = value << (amount & 31) | value >> (-amount & 31);
  if (rotated == 0x80000001)
    return 1;
  return 0;
}
//~ paths: 2
