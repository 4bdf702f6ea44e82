// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <string.h>
int main(void) {
  volatile float a = 16777216.0f, one = 1.0f, third = 1.0f / 3.0f;
  assert(a + one == a && a + one + one == a && a + 2 * one != a);
  unsigned bits;
  float copy = third;
  memcpy(&bits, &copy, 4);
  assert(bits == 0x3eaaaaab);
  volatile int i = 16777217;
  assert((float)i == a && (int)(float)i == 16777216);
  volatile unsigned u = 4294967295u;
  assert((float)u == 4294967296.0f && (double)u == 4294967295.0);
  volatile long l = -9007199254740993l;
  assert((double)l == -9007199254740992.0 && (long)(double)l == -9007199254740992l);
  return 0;
}
//~ paths: 1
