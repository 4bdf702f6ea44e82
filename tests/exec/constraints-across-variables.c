#include <klee/klee.h>
int main(void) {
  unsigned char a, b, c;
  klee_make_symbolic(&a, 1, "a");
  klee_make_symbolic(&b, 1, "b");
  klee_make_symbolic(&c, 1, "c");
  if (a < b)
    if (b < c)
      if (c < a)
        return 9;
      else
        return 3;
    else
      return 2;
  return 1;
}
//~ paths: 3
//~ exits: 1*1 2*1 3*1
