#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned size;
  klee_make_symbolic(&size, sizeof size, "size");
  klee_assume(size >= 1 & size <= 20);
  char *block = malloc(size);
  unsigned long left = __builtin_dynamic_object_size(block + 1, 0);
  free(block);
  return left == size - 1 ? 0 : 1;
}
//~ exits: 0
