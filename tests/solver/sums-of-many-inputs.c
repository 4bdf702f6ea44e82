#include <klee/klee.h>
int main(void) {
  unsigned char v[32];
  klee_make_symbolic(v, sizeof v, "v");
  unsigned total = 0;
  for (int i = 0; i < 32; i++)
    total += v[i];
  if (total == 32 * 255)
    return 1;
  if (total > 32 * 255)
    return 9;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
