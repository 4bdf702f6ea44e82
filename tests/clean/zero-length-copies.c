#include <klee/klee.h>
#include <string.h>
int main(void) {
  char a[2] = "x", b[2] = "y";
  unsigned char n;
  klee_make_symbolic(&n, 1, "n");
  klee_assume(n <= 2);
  memcpy(a, b, n);
  return n == 0 ? a[0] == 'x' : a[0] == 'y';
}
//~ exits: 1
