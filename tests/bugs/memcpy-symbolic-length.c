#include <klee/klee.h>
#include <string.h>
int main(void) {
  char from[8] = "1234567", to[4];
  unsigned char length;
  klee_make_symbolic(&length, sizeof length, "length");
  klee_assume(length <= 5);
  memcpy(to, from, length); //~ out-of-bounds: 1 past the end of to (4 bytes)
  return 0;
}
//~ test: length=5
