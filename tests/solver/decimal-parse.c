#include <klee/klee.h>
int main(void) {
  unsigned char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  int value = 0;
  for (int i = 0; i < 4; i++) {
    if (s[i] < '0' || s[i] > '9')
      return 2;
    value = value * 10 + (s[i] - '0');
  }
  if (value == 1984)
    return 1;
  return 0;
}
//~ paths: 10
//~ exits: 0*1 1*1 2*8
//~ test: s="1984"
