// run: --cc-flags="-O0"
// run: --cc-flags="-O2"
#include <complex.h>
#include <math.h>
#include <stdio.h>
int main(void) {
  volatile double complex a = 1.5 + 2 * I, b = -3 + 0.25 * I, huge = 1e300 + 1e300 * I;
  volatile float complex f = 0.5f + 1.25f * I;
  volatile long double complex l = 1.0L / 3 + 2 * I;
  volatile double complex infinite = INFINITY + NAN * I;
  double complex p = a * b, q = a / b, h = huge / huge, i = infinite * a;
  float complex g = f * f / (f + 1);
  long double complex m = l * l / (l + 1);
  printf("%g%+gi %.15g%+.15gi %g%+gi %d\n", creal(p), cimag(p), creal(q), cimag(q), creal(h), cimag(h),
         isinf(creal(i)) || isinf(cimag(i)));
  printf("%.7g%+.7gi %.18Lg%+.18Lgi\n", crealf(g), cimagf(g), creall(m), cimagl(m));
  double complex r = csqrt(a), e = cexp(b);
  printf("%.12g%+.12gi %.12g%+.12gi %.12g\n", creal(r), cimag(r), creal(e), cimag(e), cabs(a));
  return 0;
}
//~ output: -5-5.625i -0.441379310344828-0.703448275862069i 1+0i 0\n-0.1065574+0.9221311i -0.435897435897435897+1.65384615384615385i\n1.41421356237+0.707106781187i 0.0482393089822+0.0123175178339i 2.5\n
//~ exits: 0
