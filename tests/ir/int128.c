// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <klee/klee.h>
typedef unsigned __int128 wide;
int main(void) {
  volatile unsigned long a = 0xfedcba9876543210ul, b = 0x0123456789abcdeful;
  wide w = (wide)a * b;
  assert((unsigned long)(w >> 64) == 0x0121fa00ad77d742ul && (unsigned long)w == 0x2236d88fe5618cf0ul);
  wide divided = w / a, rest = (w + 5) % a;
  assert(divided == b && rest == 5);
  assert((__int128)(w << 6) >> 6 == (__int128)w && w + w - w == w);
  assert((w >> 100) + (w << 100 >> 100) != 0);
  return 0;
}
//~ paths: 1
