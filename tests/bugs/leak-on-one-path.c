// run: --check=leak
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char c;
  klee_make_symbolic(&c, 1, "c");
  int *block = calloc(2, 4);
  if (c == 0)
    return 1;
  free(block);
  return 0;
}
//~ error: leak: 8 bytes from calloc at leak-on-one-path.c:7 are never freed
//~ test: c=0
