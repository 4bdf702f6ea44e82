// run: --check=signed-overflow
#include <klee/klee.h>
int main(void) {
  long a;
  klee_make_symbolic(&a, sizeof a, "a");
  long negated = -a; //~ signed-overflow: subtraction overflows 64 bits
  return negated == 4;
}
//~ test: a=-9223372036854775808
