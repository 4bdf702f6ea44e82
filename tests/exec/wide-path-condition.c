// run: --search=dfs
#include <klee/klee.h>
int main(void) {
  unsigned char s[200];
  klee_make_symbolic(s, sizeof s, "s");
  for (int i = 0; i < 200; i++)
    if (s[i] != i)
      return 1;
  return 0;
}
//~ paths: 201
//~ exits: 0*1 1*200
