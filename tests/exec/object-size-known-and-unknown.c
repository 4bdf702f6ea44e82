#include <klee/klee.h>
#include <stdlib.h>
/* What a compiler does not know it says so, here as natively; what it knows is a constant. */
int main(void) {
  unsigned size;
  char known[7];
  klee_make_symbolic(&size, sizeof size, "size");
  klee_assume(size >= 1 & size <= 20);
  char *block = malloc(size);
  unsigned long left = __builtin_object_size(block + 1, 0);
  free(block);
  return (left == -1ul) + 2 * (__builtin_object_size(known + 2, 0) == 5);
}
//~ exits: 3
