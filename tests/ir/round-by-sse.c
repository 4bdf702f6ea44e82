// The processor's own rounding to an integer, as libvorbis uses it.
#include <emmintrin.h>

int main(void) {
  __m128d pair = _mm_set_pd(100.0, 2.5);
  if (_mm_cvtsd_si32(pair) != 2 || _mm_cvtsd_si64(_mm_set_sd(-3.5)) != -4)
    return 1;
  if (_mm_cvtsd_si32(_mm_set_sd(1e300)) != (int)0x80000000)
    return 2;
  return _mm_cvtss_si32(_mm_set_ss(41.75f));
}
//~ exits: 42*1
