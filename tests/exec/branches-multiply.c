// run: --search=dfs
// run: --search=bfs
// run: --search=random-path
// run: --search=random-state
// run: --search=nurs:covnew
// run: --search=random-path --search=nurs:covnew
// run: --seed 7
#include <klee/klee.h>
int main(void) {
  unsigned char bits;
  klee_make_symbolic(&bits, 1, "bits");
  int count = 0;
  for (int i = 0; i < 6; i++)
    if (bits & 1 << i)
      count++;
  return count;
}
//~ paths: 64
//~ exits: 0*1 1*6 2*15 3*20 4*15 5*6 6*1
