// run: --check=signed-overflow
#include <klee/klee.h>
int main(void) {
  unsigned a;
  unsigned char small;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&small, sizeof small, "small");
  a = a * 31 + 0xfffffff0u;
  a -= 77;
  small += 200;
  return a == small;
}
//~ paths: 1
