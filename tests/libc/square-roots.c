// run: --cc-flags="-O0"
// run: --cc-flags="-O2 -fno-math-errno"
#include <float.h>
#include <math.h>
#include <stdio.h>
int main(void) {
  volatile long double values[] = {2, 4, 0.1L, 1e4000L, LDBL_MIN / 8, LDBL_TRUE_MIN, LDBL_MAX, -0.0L, INFINITY, 3};
  for (int i = 0; i < 10; i++)
    printf("%.21Lg ", sqrtl(values[i]));
  printf("%.17g %.9g %d\n", sqrt((double)values[9]), sqrtf((float)values[0]), isnan(sqrtl(-values[0])) != 0);
  return 0;
}
//~ output: 1.41421356237309504876 2 0.316227766016837933208 9.99999999999999999983e+1999 6.48276864378956291209e-2467 6.03754878397058966765e-2476 1.0907481356194159294e+2466 -0 inf 1.73205080756887729357 1.7320508075688772 1.41421354 1\n
//~ exits: 0
