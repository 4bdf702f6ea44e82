// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <limits.h>
int main(void) {
  volatile int big = INT_MAX, one = 1;
  volatile unsigned zero = 0;
  volatile long wide = LONG_MIN;
  int r;
  unsigned u;
  long l;
  assert(__builtin_add_overflow(big, one, &r) && r == INT_MIN);
  assert(!__builtin_sub_overflow(big, one, &r) && r == INT_MAX - 1);
  assert(__builtin_sub_overflow(zero, 1u, &u) && u == UINT_MAX);
  assert(__builtin_mul_overflow(wide, -1l, &l) && l == LONG_MIN);
  assert(!__builtin_mul_overflow(1000, one, &r) && r == 1000);
  assert(__builtin_add_overflow(200, one * 100, &(unsigned char){0}));
  return 0;
}
//~ paths: 1
