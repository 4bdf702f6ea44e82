// Fields of a packed struct share integers of more than 128 bits.
// run: --cc-flags=-O0
// run: --cc-flags=-O2
#include <klee/klee.h>

#pragma pack(1)
struct fields {
  unsigned long a : 37;
  signed long b : 61;
  unsigned c : 3;
  signed d : 29;
  unsigned e : 31;
};
#pragma pack()

static struct fields kept = {0x1234567891, -0x123456789abcdefL, 5, -77, 0x7ffffff1};

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume((x >= -(1 << 28)) & (x < 1 << 28));
  struct fields s = kept;
  s.d = x;
  klee_assert(s.a == 0x1234567891 && s.b == -0x123456789abcdefL && s.c == 5 && s.e == 0x7ffffff1);
  klee_assert(s.d == x);
  kept = s;
  klee_assert(kept.d != -1234567); //~ assertion
  return kept.d == -1234567;
}
//~ exits: 0
//~ test: x=-1234567
