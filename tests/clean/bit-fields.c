#include <assert.h>
#include <klee/klee.h>
struct flags {
  unsigned a : 3;
  int b : 5;
  unsigned long c : 33;
  unsigned d : 1;
};
int main(void) {
  struct flags f = {0};
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  f.a = x;
  f.b = (int)(x >> 3 & 31) - 16;
  f.c = (unsigned long)x << 1;
  f.d = x;
  assert(f.a == (x & 7));
  assert(f.b >= -16 && f.b <= 15);
  assert(f.c >> 1 == x);
  assert(f.d == (x & 1));
  return 0;
}
//~ exits: 0
