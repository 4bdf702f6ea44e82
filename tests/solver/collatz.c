#include <klee/klee.h>
int main(void) {
  unsigned n = (unsigned)klee_range(1, 9, "n");
  int steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    steps++;
  }
  return steps;
}
//~ exits: 0*1 1*1 2*1 3*1 5*1 7*1 8*1 16*1
//~ paths: 8
