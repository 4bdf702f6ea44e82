#include <klee/klee.h>
int main(void) {
  unsigned char c;
  int y;
  klee_make_symbolic(&c, 1, "c");
  klee_open_merge();
  if (c > 100)
    y = 1;
  else
    y = 2;
  klee_close_merge();
  return y;
}
//~ paths: 2
//~ exits: 1 2
