// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <stdarg.h>
struct pair { long a, b; };
struct big { long v[4]; };
__attribute__((noinline)) static long sum(int count, ...) {
  va_list list;
  va_start(list, count);
  long total = 0;
  for (int i = 0; i < count; i++)
    total += va_arg(list, int);
  va_end(list);
  return total;
}
__attribute__((noinline)) static double mixed(const char *kinds, ...) {
  va_list list, again;
  double total = 0;
  va_start(list, kinds);
  va_copy(again, list);
  for (int round = 0; round < 2; round++) {
    for (const char *k = kinds; *k; k++)
      switch (*k) {
      case 'i': total += round ? va_arg(again, int) : va_arg(list, int); break;
      case 'l': total += round ? va_arg(again, long) : va_arg(list, long); break;
      case 'd': total += round ? va_arg(again, double) : va_arg(list, double); break;
      case 'p': total += round ? *va_arg(again, short *) : *va_arg(list, short *); break;
      }
  }
  va_end(list);
  va_end(again);
  return total;
}
__attribute__((noinline)) static long structs(int dummy, ...) {
  va_list list;
  va_start(list, dummy);
  struct pair p = va_arg(list, struct pair);
  struct big b = va_arg(list, struct big);
  int last = va_arg(list, int);
  va_end(list);
  return p.a * 1000 + p.b * 100 + b.v[3] * 10 + last;
}
int main(void) {
  short s = 5;
  volatile int one = 1;
  assert(sum(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 55 && sum(0) == 0);
  assert(mixed("idlpdddddddddi", one, 2.5, 3l, &s, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 7) == 2 * 27.5);
  assert(structs(0, (struct pair){1, 2}, (struct big){{0, 0, 0, 3}}, 4) == 1234);
  return 0;
}
//~ paths: 1
