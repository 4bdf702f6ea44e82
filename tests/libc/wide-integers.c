// run: --cc-flags="-O0"
// run: --cc-flags="-O2"
#include <stdio.h>
int main(void) {
  volatile __int128 a = (__int128)0x123456789abcdefLL * 0x7fffffffffLL, b = -12345678901LL;
  volatile unsigned __int128 u = (unsigned __int128)a << 40;
  volatile double d = 1.5e25;
  volatile long double l = 0x1.8p100L;
  __int128 q = a / b, r = a % b, c = (__int128)d, e = (__int128)l;
  printf("%llx %llx %llx %llx ", (long long)(q >> 64), (long long)q, (long long)(r >> 64), (long long)r);
  printf("%llx %llx %llx ", (long long)(u / 1000003 >> 64), (long long)(u % 1000003), (long long)(c >> 64));
  printf("%llx %llx %.17g %.20Lg %.9g\n", (long long)c, (long long)(e >> 64), (double)a, (long double)u, (float)b);
  return 0;
}
//~ output: ffffffffffffffff cd55a2096b2b0f68 0 1314dc299 aa9aea07248 3971f c685f a11e01ec80000000 1800000000 4.5072021341366168e+28 2.1626834866405175553e+38 -1.23456788e+10\n
//~ exits: 0
