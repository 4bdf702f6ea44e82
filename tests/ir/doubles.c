// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
int main(void) {
  volatile double a = 0.1, b = 0.2, big = 1e300, zero = 0;
  assert(a + b != 0.3 && a + b > 0.3 && a * b < 0.021);
  assert(big * big > big && big * big == 1 / zero && -1 / zero < -big);
  double nan = zero / zero;
  assert(nan != nan && !(nan < 1) && !(nan > 1) && !(nan == nan));
  assert((int)2.9 == 2 && (int)(a * -29) == -2 && (unsigned long)(big / 1e285) == 1000000000000000ul);
  assert((float)a != a && (double)(float)0.5 == 0.5);
  assert(zero == -zero && 1 / -zero < 0);
  assert(__builtin_fabs(-a) == a && __builtin_copysign(a, -1.0) == -0.1);
  return 0;
}
//~ paths: 1
