#include <klee/klee.h>
static int name(int kind) {
  switch (kind) {
  case 0: return 'a';
  case 1: return 'b';
  }
  __builtin_unreachable(); //~ unreachable: reached code marked unreachable
}
int main(void) {
  return name(klee_range(0, 3, "kind")) == 'a';
}
//~ test: kind=2
//~ exits: 0*1 1*1
