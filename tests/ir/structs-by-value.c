// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
struct small { int a, b; };
struct mixed { double d; long l; };
struct large { long v[6]; char c; };
__attribute__((noinline)) static struct small swap(struct small s) { return (struct small){s.b, s.a}; }
__attribute__((noinline)) static struct mixed scale(struct mixed m, int k) { return (struct mixed){m.d * k, m.l * k}; }
__attribute__((noinline)) static struct large shift(struct large l) {
  struct large r = {{0}, 0};
  for (int i = 0; i < 5; i++)
    r.v[i + 1] = l.v[i];
  l.v[0] = 999;
  r.c = l.c + 1;
  return r;
}
int main(void) {
  volatile int k = 3;
  struct small s = swap((struct small){k, 9});
  assert(s.a == 9 && s.b == 3);
  struct mixed m = scale((struct mixed){1.5, 7}, k);
  assert(m.d == 4.5 && m.l == 21);
  struct large l = {{1, 2, 3, 4, 5, 6}, 'a'}, r = shift(l);
  assert(r.v[0] == 0 && r.v[1] == 1 && r.v[5] == 5 && r.c == 'b');
  assert(l.v[0] == 1);
  return 0;
}
//~ paths: 1
