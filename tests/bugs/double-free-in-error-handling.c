#include <klee/klee.h>
#include <stdlib.h>
static int use(char *block, int code) {
  if (code == 3) {
    free(block);
    return -1;
  }
  return 0;
}
int main(void) {
  int code = klee_range(0, 10, "code");
  char *block = malloc(4);
  if (use(block, code) < 0 && code > 1)
    free(block); //~ double-free: was freed at double-free-in-error-handling.c:5
  else
    free(block);
  return 0;
}
//~ test: code=3
