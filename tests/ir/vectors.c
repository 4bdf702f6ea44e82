// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
int main(void) {
  volatile int seed = 3;
  v4 a = {seed, 2, 3, 4}, b = {10, 20, 30, 40};
  v4 c = a * b + 1, m = c > 70, s = __builtin_shufflevector(a, b, 3, 4, 0, 7);
  assert(c[0] == 31 && c[3] == 161 && m[0] == 0 && m[2] == -1);
  assert(s[0] == 4 && s[1] == 10 && s[2] == 3 && s[3] == 40);
  c[seed] = 5;
  assert(c[3] == 5 && (c << 1)[0] == 62 && (b / a)[2] == 10);
  f4 f = __builtin_convertvector(a, f4) / 2;
  assert(f[0] == 1.5f && f[3] == 2.0f);
  b16 bytes = (b16)b;
  assert(bytes[4] == 20 && bytes[5] == 0);
  assert(__builtin_reduce_add(b) == 100 && __builtin_reduce_max(a) == 4);
  return 0;
}
//~ paths: 1
