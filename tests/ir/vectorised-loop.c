// run: --cc-flags="-O2 -g"
// run: --cc-flags="-O3 -g -mavx2"
#include <assert.h>
#include <klee/klee.h>
static unsigned in[64], out[64];
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  for (int i = 0; i < 64; i++)
    in[i] = i + x;
  unsigned total = 0;
  for (int i = 0; i < 64; i++) {
    out[i] = in[i] * 3 ^ 5;
    total += in[i];
  }
  assert(total == 64 * x + 2016);
  assert(out[63] == ((63 + x) * 3 ^ 5));
  return 0;
}
//~ paths: 1
