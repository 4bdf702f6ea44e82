// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <klee/klee.h>
#include <stdlib.h>
__attribute__((noinline)) static void drop(char *block) {
  free(block); //~ double-free: was freed at optimised-double-free.c:6
}
int main(void) {
  char c;
  klee_make_symbolic(&c, 1, "c");
  char *volatile block = malloc(3);
  drop(block);
  if (c == 'd')
    drop(block);
  return 0;
}
//~ test: c=0x64
