// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <klee/klee.h>
#include <assert.h>
#include <stdarg.h>
static int take(va_list ap) { return va_arg(ap, int); }
__attribute__((noinline)) int f(int n, ...) {
  va_list ap[3]; unsigned i = n % 3u;
  va_start(ap[i], n);
  int a = va_arg(ap[i], int); int b = va_arg(ap[i], int);
  va_list c; va_copy(c, ap[i]);
  int d = va_arg(c, int);
  int e = take(ap[i]);
  assert(d == e);
  va_end(c); va_end(ap[i]);
  return a + b * 2 + d * 4;
}
int main(void) {
  int x; klee_make_symbolic(&x, sizeof x, "x");
  int r = f(x, 1, x, 3);
  return r & 0x3f;
}
//~ paths: 1
