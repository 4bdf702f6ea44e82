#include <klee/klee.h>
int main(void) {
  char small[2] = {0}, large[8] = {0};
  unsigned char choose, index;
  klee_make_symbolic(&choose, 1, "choose");
  klee_make_symbolic(&index, 1, "index");
  klee_assume(index < 8);
  char *target = choose & 1 ? small : large;
  target[index] = 1; //~ out-of-bounds: of small (2 bytes)
  return 0;
}
