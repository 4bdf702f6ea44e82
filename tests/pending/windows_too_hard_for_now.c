// A pointer leads to `b` only if a product is factored, which takes a solver very long. That question is put off, with
// pending constraints and without, and what is done with `a` is explored meanwhile.
// run: --memory={fork,merge,auto,flat,segmented,dynamic} --no-pending --exit-on-error=division-by-zero
// run: --memory={fork,merge,auto} --pending --exit-on-error=division-by-zero
//~ stopped: error
//~ replay: no, an address in an input is one of this run alone
#include <klee/klee.h>
#include <stdint.h>
int main(void) {
  static int a = 1, b = 2;
  uintptr_t p;
  uint64_t x, y;
  unsigned char d, e;
  klee_make_symbolic(&p, sizeof p, "p");
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  klee_make_symbolic(&d, sizeof d, "d");
  klee_make_symbolic(&e, sizeof e, "e");
  klee_assume((p == (uintptr_t)&a) |
              ((p == (uintptr_t)&b) & (x > 1) & (y > 1) & (x < y) & (x < (1ull << 32)) & (y < (1ull << 32)) &
               (x * y == 0x85b23fd7c6cf7701ull)));
  int which = *(int *)p;
  if (which == 1 && d > 200)
    return 100 / (e - 7); //~ division-by-zero
  return 0;
}
