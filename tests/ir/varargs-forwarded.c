// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <stdarg.h>
__attribute__((noinline)) static int second(int skip, va_list list) {
  while (skip--)
    va_arg(list, int);
  return va_arg(list, int);
}
__attribute__((noinline)) static int pick(int n, ...) {
  va_list list;
  va_start(list, n);
  int value = second(n, list);
  int next = va_arg(list, int);
  va_end(list);
  return value * 100 + next;
}
int main(void) {
  volatile int n = 6;
  assert(pick(n, 0, 1, 2, 3, 4, 5, 66, 77, 88) == 6677);
  assert(pick(0, 5, 6) == 506);
  return 0;
}
//~ paths: 1
