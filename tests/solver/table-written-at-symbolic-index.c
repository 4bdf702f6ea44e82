#include <klee/klee.h>
int main(void) {
  unsigned char seen[16] = {0}, in[3];
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 3; i++)
    seen[in[i] & 15]++;
  if (seen[9] == 3)
    return 1;
  if (seen[9] == 4)
    return 2;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
