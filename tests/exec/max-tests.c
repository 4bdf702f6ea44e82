// run: --max-tests=3
#include <klee/klee.h>
int main(void) {
  unsigned char bits;
  klee_make_symbolic(&bits, 1, "bits");
  for (int i = 0; i < 8; i++)
    if (bits >> i & 1)
      return i;
  return 9;
}
//~ tests: 3
//~ stopped: max-tests
