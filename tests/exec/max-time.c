// run: --max-time=1
#include <klee/klee.h>
int main(void) {
  unsigned char s[64];
  klee_make_symbolic(s, sizeof s, "s");
  unsigned total = 0;
  for (int i = 0; i < 64; i++)
    if (s[i] > 100)
      total += i;
  return total == 1;
}
//~ stopped: max-time
//~ replay: no, paths that are cut have no end of their own
