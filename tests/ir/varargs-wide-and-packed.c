// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <stdarg.h>
typedef struct { float a, b; } ff;
typedef struct { double d; long l; } dl;
typedef struct { long l; double d; } ld_;
typedef struct { double x, y; } dd;
typedef struct { char c[3]; } c3;
typedef struct { int a; float b; } mixed8;
typedef struct { float a, b, c; } fff;
typedef struct { long a,b,c; } big;
typedef struct { long double x; } lds;
__attribute__((noinline)) int f(int n, ...) {
  va_list ap; va_start(ap, n);
  int i1 = va_arg(ap, int);
  __int128 w = va_arg(ap, __int128);
  assert(i1 == 1); assert(w == (((__int128)5 << 64) | 7));
  double d = va_arg(ap, double); assert(d == 2.5);
  ff p = va_arg(ap, ff); assert(p.a == 1.5f && p.b == 2.5f);
  dl q = va_arg(ap, dl); assert(q.d == 3.5 && q.l == 11);
  ld_ r = va_arg(ap, ld_); assert(r.d == 4.5 && r.l == 12);
  dd s = va_arg(ap, dd); assert(s.x == 5.5 && s.y == 6.5);
  c3 t = va_arg(ap, c3); assert(t.c[0]==1 && t.c[1]==2 && t.c[2]==3);
  long double L = va_arg(ap, long double); assert(L == 7.25L);
  __int128 w2 = va_arg(ap, __int128); assert(w2 == -3);
  long k = va_arg(ap, long); assert(k == 99);
  mixed8 m = va_arg(ap, mixed8); assert(m.a == 8 && m.b == 9.5f);
  fff g = va_arg(ap, fff); assert(g.a==1 && g.b==2 && g.c==3);
  big h = va_arg(ap, big); assert(h.a==1&&h.b==2&&h.c==3);
  lds z = va_arg(ap, lds); assert(z.x == 8.5L);
  __int128 w3 = va_arg(ap, __int128); assert(w3 == 1234);
  int last = va_arg(ap, int); assert(last == -1);
  va_end(ap);
  return 0;
}
__attribute__((noinline)) int g(__int128 x, double y, int n, ...) {
  va_list ap; va_start(ap, n);
  int a = va_arg(ap, int), b = va_arg(ap, int), c = va_arg(ap, int), d = va_arg(ap,int), e=va_arg(ap,int);
  assert(a==1&&b==2&&c==3&&d==4&&e==5);
  va_end(ap); return (int)x;
}
int main(void) {
  f(0, 1, ((__int128)5 << 64) | 7, 2.5, (ff){1.5f,2.5f}, (dl){3.5,11}, (ld_){12,4.5}, (dd){5.5,6.5}, (c3){{1,2,3}}, 7.25L, (__int128)-3, 99L, (mixed8){8,9.5f}, (fff){1,2,3}, (big){1,2,3}, (lds){8.5L}, (__int128)1234, -1);
  g(5, 1.0, 0, 1, 2, 3, 4, 5);
  return 0;
}
//~ paths: 1
//~ exits: 0
