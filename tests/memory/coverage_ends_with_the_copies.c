/* Every object that the pointer may lead to is too small, so what follows the access is never reached, whatever the
 * model makes of the pointer. */
// run: --memory=fork
// run: --memory=fork --no-pending
// run: --memory=merge
// run: --memory=merge --no-pending
// run: --memory=auto
// run: --memory=auto --no-pending
// run: --memory=dynamic
// run: --memory=dynamic --no-pending
#include <klee/klee.h>
unsigned a[5], b[5], c[5];
unsigned *table[3] = {a, b, c};
int main(void) {
  unsigned char in;
  klee_make_symbolic(&in, 1, "in");
  table[in % 3][5] += 1; //~ out-of-bounds
  a[0] = 5;
  b[0] = 6;
  c[0] = 7;
  return 0;
}
//~ covered: 2/6
