// The first branch asks for a product that takes a solver very long. With pending constraints the question is put off,
// and what lies on the other side is explored meanwhile.
// run: --pending --exit-on-error=division-by-zero
// run: --relaxed-checks --exit-on-error=division-by-zero
//~ stopped: error
#include <klee/klee.h>
#include <stdint.h>
int main(void) {
  uint64_t x, y;
  unsigned char d, e;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  klee_make_symbolic(&d, sizeof d, "d");
  klee_make_symbolic(&e, sizeof e, "e");
  if (x > 1 && y > 1 && x < y && x < (1ull << 32) && y < (1ull << 32) && x * y == 0x85b23fd7c6cf7701ull)
    return 1;
  if (d > 200)
    return 100 / (e - 7); //~ division-by-zero
  return 0;
}
