#include <klee/klee.h>
// One path for a target, not for a case.
int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, 1, "c");
  switch (c) {
  case 'a': case 'e': case 'i': case 'o': case 'u': return 1;
  case '0' ... '9': return 2;
  default: return 3;
  }
}
//~ paths: 3
//~ exits: 1*1 2*1 3*1
