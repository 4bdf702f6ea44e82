// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
int main(void) {
  volatile long double a = 1.0L, b = 3.0L;
  long double third = a / b;
  assert(third != (double)third && (double)third == 1.0 / 3.0);
  volatile unsigned long l = 18446744073709551615ul;
  assert((unsigned long)(long double)l == l && (long double)l + 1 > (long double)l);
  assert((int)(a + b * 2) == 7 && -b < a);
  return 0;
}
//~ paths: 1
