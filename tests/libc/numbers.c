// run: --cc-flags="-O0"
// run: --cc-flags="-O2"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *end;
  static const char *const texts[] = {"2.2250738585072011e-308", "1.7976931348623159e308", "4.9e-324", "0x1.8p-1074",
                                      "9007199254740993", "1e23", "-0", "infinity", "nan(7)", ".5e", "0x", "1e400"};
  for (int i = 0; i < 12; i++) {
    double d = strtod(texts[i], &end);
    printf("%.17g<%s> ", isnan(d) ? fabs(d) : d, end);
  }
  printf("\n%a %.3a %Lg ", 1.1, 1.999, LDBL_MAX);
  printf("%.20Lf %.30g %#x %+d % d %-5d| %05d %'d ", 0.1L, 0.1, 255, 5, 5, 5, -5, 1234567);
  printf("%.0f %.0f %e %G %g\n", 0.5, 1.5, 0.0, 1e-10, 123456789.0);
  printf("%Lf %.12Lg ", strtold("1.18973149535723176502e+4932", 0) / 1e4900L, strtold("0x1.fffffffffffffffep3", 0));
  printf("%.15g %.15g %.15g %.15g ", pow(2.5, 3.5), exp(1.25), log1p(1e-10), atan2(-1, 2));
  printf("%.15g %.15g %.15Lg %.15Lg ", tgamma(5.5), fmod(-7.5, 2), expl(1.25L), sqrtl(2));
  printf("%ld %g %g %g\n", lrint(2.5), rint(-3.5), nearbyint(0.5), round(-0.5));
  printf("%ld %lu %ld %lld %d\n", strtol("0x7fz", &end, 0), strtoul("-1", 0, 10), strtol("zz", 0, 36),
         strtoll("99999999999999999999", 0, 10), atoi("  +12a"));
  return 0;
}
//~ output: 2.2250738585072009e-308<> inf<> 4.9406564584124654e-324<> 9.8813129168249309e-324<> 9007199254740992<> 9.9999999999999992e+22<> -0<> inf<> nan<> 0.5<e> 0<x> inf<> \n0x1.199999999999ap+0 0x1.ffcp+0 1.18973e+4932 0.10000000000000000000 0.100000000000000005551115123126 0xff +5  5 5    | -0005 1234567 0 2 0.000000e+00 1E-10 1.23457e+08\n118973149535723176496166344851456.000000 16 24.7052942200655 3.49034295746184 9.9999999995e-11 -0.463647609000806 52.3427777845535 -1.5 3.49034295746184 1.4142135623731 2 -4 0 -1\n127 18446744073709551615 1295 9223372036854775807 12\n
//~ exits: 0
