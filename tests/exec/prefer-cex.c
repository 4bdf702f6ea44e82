#include <klee/klee.h>
int main(void) {
  unsigned char s[2];
  klee_make_symbolic(s, sizeof s, "s");
  klee_prefer_cex(s, s[0] == 'A');
  klee_prefer_cex(s, s[1] == 'B');
  if (s[1] == 0)
    return 1;
  return 0;
}
//~ paths: 2
//~ test: s="A\0"
//~ test: s="AB"
