// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
// A structure passed by value through a pointer that may lead to either of two objects.
#include <klee/klee.h>
#include <assert.h>
struct big { long v[6]; };
struct big a, b;
struct big *t[2] = {&a, &b};
__attribute__((noinline)) long sum(struct big x, int k) { long s = 0; for (int i = 0; i < 6; i++) s += x.v[i]; x.v[0] = k; return s + x.v[0]; }
int main(void) {
  unsigned i; klee_make_symbolic(&i, sizeof i, "i"); klee_assume(i < 2);
  for (int k = 0; k < 6; k++) { a.v[k] = 1; b.v[k] = 2; }
  long s = sum(*t[i], 3);
  assert(s == (i ? 15 : 9));
  assert(a.v[0] == 1 && b.v[0] == 2);
  return s;
}
//~ paths: 2
//~ exits: 9 15
