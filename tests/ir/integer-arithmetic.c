// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <klee/klee.h>
int main(void) {
  volatile signed char c = -100;
  volatile unsigned short s = 65530;
  volatile int i = -7;
  volatile unsigned long l = 0x8000000000000001ul;
  assert((signed char)(c * 2) == 56);
  assert((unsigned short)(s + 10) == 4);
  assert(i / 2 == -3 && i % 2 == -1 && i >> 1 == -4 && (unsigned)i >> 28 == 15);
  assert(l * 3 == 0x8000000000000003ul && l / 3 == 0x2aaaaaaaaaaaaaabul && (long)l < 0);
  assert((l ^ ~0ul) == 0x7ffffffffffffffeul && -l == 0x7ffffffffffffffful);
  return 0;
}
//~ paths: 1
