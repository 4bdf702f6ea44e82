#include <klee/klee.h>
enum { OK, SHORT, BAD_MAGIC, BAD_SUM };
static int check(const unsigned char *m, unsigned n) {
  if (n < 4)
    return SHORT;
  if (m[0] != 'O' || m[1] != 'S')
    return BAD_MAGIC;
  if ((unsigned char)(m[2] + m[3]) != 0x55)
    return BAD_SUM;
  return OK;
}
int main(void) {
  unsigned char m[4];
  unsigned n;
  klee_make_symbolic(m, sizeof m, "m");
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 4);
  return check(m, n);
}
//~ paths: 5
//~ exits: 0*1 1*1 2*2 3*1
