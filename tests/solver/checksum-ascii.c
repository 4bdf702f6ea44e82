#include <klee/klee.h>
// Luhn's check of four digits.
int main(void) {
  unsigned char d[4];
  klee_make_symbolic(d, sizeof d, "d");
  unsigned total = 0;
  for (int i = 0; i < 4; i++) {
    klee_assume((d[i] >= '0') & (d[i] <= '9'));
    unsigned v = d[i] - '0';
    unsigned doubled = 2 * v;
    total += i % 2 ? v : doubled / 10 + doubled % 10;
  }
  if (total % 10 == 0)
    return 1;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
