// run: --max-forks=4 --search=dfs
#include <klee/klee.h>
int main(void) {
  unsigned char bits;
  klee_make_symbolic(&bits, 1, "bits");
  int count = 0;
  for (int i = 0; i < 8; i++)
    if (bits >> i & 1)
      count++;
  return count > 8;
}
//~ paths: 5
//~ exits: 0
