#include <klee/klee.h>
static const unsigned char squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
int main(void) {
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 16);
  if (squares[i] == 121)
    return 1;
  if (squares[i] == 122)
    return 2;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
//~ test: i=11
