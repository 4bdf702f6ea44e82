// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <klee/klee.h>
// Volatile writes keep the optimiser from turning the branches into selects.
static volatile int trace;
int main(void) {
  unsigned char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  if (s[0] != 'G')
    return trace = 1;
  trace = 10;
  if (s[1] != 'E')
    return trace = 2;
  trace = 20;
  if (s[2] != 'T')
    return trace = 3;
  return 0;
}
//~ exits: 0 1 2 3
//~ test: s="GET"
