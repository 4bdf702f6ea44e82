// run: --max-depth=3 --search=dfs
#include <klee/klee.h>
int main(void) {
  unsigned char bits;
  klee_make_symbolic(&bits, 1, "bits");
  int i = 0;
  while (i < 8 && bits >> i & 1)
    i++;
  return i;
}
//~ partial: 1..2
//~ replay: no, a path that was cut has no end of its own
