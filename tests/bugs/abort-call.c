#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char c;
  klee_make_symbolic(&c, 1, "c");
  if (c == 'a')
    abort(); //~ abort: abort called
  return 0;
}
//~ test: c=0x61
