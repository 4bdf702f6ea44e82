// run: --cc-flags="-O2 -g -D_FORTIFY_SOURCE=2"
/* What is fortified stops before it writes. */
#include <klee/klee.h>
#include <string.h>
int main(void) {
  char small[8];
  unsigned char n;
  klee_make_symbolic(&n, 1, "n");
  memset(small, 1, n);
  return small[0];
}
//~ error: abort: abort called
//~ output: *** buffer overflow detected ***: terminated\n
