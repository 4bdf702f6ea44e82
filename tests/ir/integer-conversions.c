// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
int main(void) {
  volatile int big = 0x12345678;
  volatile signed char negative = -1;
  volatile unsigned char high = 0xff;
  assert((signed char)big == 0x78 && (short)big == 0x5678);
  assert((unsigned)negative == 0xffffffffu && (unsigned long)negative == ~0ul);
  assert((int)high == 255 && (signed char)high == -1);
  assert((_Bool)big == 1 && (_Bool)(big & 0) == 0);
  volatile long wide = -2;
  assert((unsigned)wide == 0xfffffffeu);
  return 0;
}
//~ paths: 1
