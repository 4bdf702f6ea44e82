#include <assert.h>
#include <klee/klee.h>
int main(void) {
  unsigned char v[4];
  klee_make_symbolic(v, sizeof v, "v");
  for (int i = 1; i < 4; i++)
    for (int j = i; j > 0 && v[j - 1] > v[j]; j--) {
      unsigned char t = v[j];
      v[j] = v[j - 1];
      v[j - 1] = t;
    }
  assert(v[0] <= v[1] && v[1] <= v[2] && v[2] <= v[3]);
  return 0;
}
//~ paths: 24
