// run: --cc-flags="-O0 -g -fno-math-errno"
// run: --cc-flags="-O2 -g -fno-math-errno"
#include <assert.h>
int main(void) {
  volatile double x = -2.5, y = 2.5, nine = 9;
  assert(__builtin_elementwise_floor(x) == -3 && __builtin_elementwise_ceil(x) == -2 && __builtin_elementwise_trunc(x) == -2);
  assert(__builtin_elementwise_roundeven(y) == 2 && __builtin_elementwise_round(y) == 3 && __builtin_elementwise_rint(x) == -2);
  assert(__builtin_elementwise_sqrt(nine) == 3 && __builtin_elementwise_abs(x) == 2.5);
  assert(__builtin_elementwise_fma(x, 2.0, nine) == 4);
  return 0;
}
//~ paths: 1
