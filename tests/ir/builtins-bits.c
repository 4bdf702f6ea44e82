// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
int main(void) {
  volatile unsigned x = 0x00f0a000, one = 1;
  volatile unsigned long l = 0x0102030405060708ul;
  assert(__builtin_popcount(x) == 6 && __builtin_clz(x) == 8 && __builtin_ctz(x) == 13);
  assert(__builtin_parity(x) == 0 && __builtin_ffs(x) == 14);
  assert(__builtin_bswap32(x) == 0x00a0f000 && __builtin_bswap64(l) == 0x0807060504030201ul);
  assert(__builtin_bswap16((unsigned short)l) == 0x0807);
  assert(__builtin_bitreverse32(one) == 0x80000000u && __builtin_bitreverse8((unsigned char)l) == 0x10);
  assert(__builtin_rotateleft32(x, 8) == 0xf0a00000 && __builtin_rotateright64(l, 4) == 0x8010203040506070ul);
  return 0;
}
//~ paths: 1
