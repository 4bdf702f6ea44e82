/* What compilers call for arithmetic that processors do not have. */
#include <math.h>
#include <stdint.h>

/* Products and quotients of complex numbers, by annex G of the C standard: an infinite result is not lost to NaNs that
   the plain formula makes of it. */
#define COMPLEX(type, suffix, copysign, fabs, logb, scalbn, fmax)                                                       \
  type _Complex __mul##suffix##c3(type a, type b, type c, type d) {                                                     \
    type ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc;                                      \
    if (x != x && y != y) {                                                                                             \
      int again = 0;                                                                                                    \
      if (isinf(a) || isinf(b)) {                                                                                       \
        a = copysign(isinf(a) ? 1 : 0, a), b = copysign(isinf(b) ? 1 : 0, b);                                           \
        c = c != c ? copysign(0, c) : c, d = d != d ? copysign(0, d) : d;                                               \
        again = 1;                                                                                                      \
      }                                                                                                                 \
      if (isinf(c) || isinf(d)) {                                                                                       \
        c = copysign(isinf(c) ? 1 : 0, c), d = copysign(isinf(d) ? 1 : 0, d);                                           \
        a = a != a ? copysign(0, a) : a, b = b != b ? copysign(0, b) : b;                                               \
        again = 1;                                                                                                      \
      }                                                                                                                 \
      if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {                                               \
        a = a != a ? copysign(0, a) : a, b = b != b ? copysign(0, b) : b;                                               \
        c = c != c ? copysign(0, c) : c, d = d != d ? copysign(0, d) : d;                                               \
        again = 1;                                                                                                      \
      }                                                                                                                 \
      if (again)                                                                                                        \
        x = (type)INFINITY * (a * c - b * d), y = (type)INFINITY * (a * d + b * c);                                     \
    }                                                                                                                   \
    type _Complex z;                                                                                                    \
    ((type *)&z)[0] = x, ((type *)&z)[1] = y;                                                                           \
    return z;                                                                                                           \
  }                                                                                                                     \
  type _Complex __div##suffix##c3(type a, type b, type c, type d) {                                                     \
    int exponent = 0;                                                                                                   \
    type log = logb(fmax(fabs(c), fabs(d)));                                                                            \
    if (isfinite(log)) {                                                                                                \
      exponent = (int)log;                                                                                              \
      c = scalbn(c, -exponent), d = scalbn(d, -exponent);                                                               \
    }                                                                                                                   \
    type norm = c * c + d * d;                                                                                          \
    type x = scalbn((a * c + b * d) / norm, -exponent), y = scalbn((b * c - a * d) / norm, -exponent);                  \
    if (x != x && y != y) {                                                                                             \
      if (norm == 0 && (a == a || b == b))                                                                              \
        x = copysign((type)INFINITY, c) * a, y = copysign((type)INFINITY, c) * b;                                       \
      else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                                                  \
        a = copysign(isinf(a) ? 1 : 0, a), b = copysign(isinf(b) ? 1 : 0, b);                                           \
        x = (type)INFINITY * (a * c + b * d), y = (type)INFINITY * (b * c - a * d);                                     \
      } else if (isinf(log) && log > 0 && isfinite(a) && isfinite(b)) {                                                 \
        c = copysign(isinf(c) ? 1 : 0, c), d = copysign(isinf(d) ? 1 : 0, d);                                           \
        x = 0 * (a * c + b * d), y = 0 * (b * c - a * d);                                                               \
      }                                                                                                                 \
    }                                                                                                                   \
    type _Complex z;                                                                                                    \
    ((type *)&z)[0] = x, ((type *)&z)[1] = y;                                                                           \
    return z;                                                                                                           \
  }

COMPLEX(float, s, copysignf, fabsf, logbf, scalbnf, fmaxf)
COMPLEX(double, d, copysign, fabs, logb, scalbn, fmax)
COMPLEX(long double, x, copysignl, fabsl, logbl, scalbnl, fmaxl)

/* A power with a whole exponent, by squaring. */
#define POWER(type, suffix)                                                                                             \
  type __powi##suffix##f2(type base, int exponent) {                                                                    \
    unsigned left = exponent < 0 ? -(unsigned)exponent : (unsigned)exponent;                                            \
    type result = 1;                                                                                                    \
    for (; left; left >>= 1, base *= base)                                                                              \
      if (left & 1)                                                                                                     \
        result *= base;                                                                                                 \
    return exponent < 0 ? 1 / result : result;                                                                          \
  }
POWER(float, s)
POWER(double, d)
POWER(long double, x)

/* Integers of 128 bits are the engine's own. */
typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;
wide __multi3(wide a, wide b) { return a * b; }
wide __divti3(wide a, wide b) { return a / b; }
wide __modti3(wide a, wide b) { return a % b; }
unsigned_wide __udivti3(unsigned_wide a, unsigned_wide b) { return a / b; }
unsigned_wide __umodti3(unsigned_wide a, unsigned_wide b) { return a % b; }
unsigned_wide __udivmodti4(unsigned_wide a, unsigned_wide b, unsigned_wide *rest) {
  if (rest)
    *rest = a % b;
  return a / b;
}
wide __ashlti3(wide a, int by) { return a << by; }
wide __ashrti3(wide a, int by) { return a >> by; }
wide __lshrti3(wide a, int by) { return (unsigned_wide)a >> by; }
wide __negti2(wide a) { return -a; }
float __floattisf(wide a) { return a; }
double __floattidf(wide a) { return a; }
long double __floattixf(wide a) { return a; }
float __floatuntisf(unsigned_wide a) { return a; }
double __floatuntidf(unsigned_wide a) { return a; }
long double __floatuntixf(unsigned_wide a) { return a; }
wide __fixsfti(float x) { return x; }
wide __fixdfti(double x) { return x; }
wide __fixxfti(long double x) { return x; }
unsigned_wide __fixunssfti(float x) { return x; }
unsigned_wide __fixunsdfti(double x) { return x; }
unsigned_wide __fixunsxfti(long double x) { return x; }

int __popcountdi2(uint64_t bits) {
  int count = 0;
  for (; bits; bits &= bits - 1)
    count++;
  return count;
}
int __popcountsi2(uint32_t bits) { return __popcountdi2(bits); }
int __popcountti2(unsigned_wide bits) { return __popcountdi2(bits) + __popcountdi2(bits >> 64); }
int __paritydi2(uint64_t bits) { return __popcountdi2(bits) & 1; }
int __ffsdi2(uint64_t bits) { return bits ? __builtin_ctzll(bits) + 1 : 0; }
int __clzti2(unsigned_wide bits) {
  return (uint64_t)(bits >> 64) ? __builtin_clzll(bits >> 64) : 64 + __builtin_clzll(bits);
}
int __ctzti2(unsigned_wide bits) { return (uint64_t)bits ? __builtin_ctzll(bits) : 64 + __builtin_ctzll(bits >> 64); }
