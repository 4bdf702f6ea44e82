// A block that is resized to nothing is freed and gone, on a path of its own.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  unsigned size;
  klee_make_symbolic(&size, sizeof size, "size");
  klee_assume(size <= 16);
  char *block = malloc(8);
  memcpy(block, "abcdefg", 8);
  char *moved = realloc(block, size);
  if (!moved)
    return 9;
  if (size > 4)
    assert(moved[4] == 'e');
  free(moved);
  return 0;
}
//~ paths: 3
//~ exits: 0 9
//~ test: size=0
