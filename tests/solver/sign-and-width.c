#include <klee/klee.h>
int main(void) {
  signed char c;
  klee_make_symbolic(&c, 1, "c");
  if ((unsigned)c == 0xfffffff6u)
    return 1;
  if ((unsigned char)c == 200 && c > 0)
    return 9;
  if ((unsigned short)c == 0xff80)
    return 2;
  if (c + 200 < 80)
    return 3;
  return 0;
}
//~ exits: 0 1 2 3
//~ test: c=-10
//~ test: c=-128
