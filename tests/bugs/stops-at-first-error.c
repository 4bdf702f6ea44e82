// run: --exit-on-error --search=dfs
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char bits;
  klee_make_symbolic(&bits, 1, "bits");
  for (int i = 0; i < 8; i++)
    if (bits >> i & 1)
      abort(); //~ abort: abort called
  return 0;
}
//~ errors: 1
//~ stopped: error
