// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <stddef.h>
#include <string.h>
struct inner { char c; short s; };
struct __attribute__((packed)) tight { char c; int i; short s; };
struct outer { char tag; struct inner in[2]; union { long l; double d; } u; };
int main(void) {
  struct tight t = {1, 0x11223344, 2};
  unsigned char raw[sizeof t];
  memcpy(raw, &t, sizeof t);
  assert(sizeof t == 7 && raw[1] == 0x44 && raw[4] == 0x11 && raw[5] == 2);
  static struct outer o = {7, {{1, 2}, {3, 4}}, {.d = 1.0}};
  volatile int one = 1;
  assert(o.in[one].s == 4 && o.u.l == 0x3ff0000000000000l && offsetof(struct outer, u) == 16);
  return 0;
}
//~ paths: 1
