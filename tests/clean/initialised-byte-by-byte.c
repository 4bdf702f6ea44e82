// run: --check=uninitialised
#include <klee/klee.h>
int main(void) {
  int x;
  unsigned char *bytes = (unsigned char *)&x;
  for (unsigned i = 0; i < sizeof x; i++)
    bytes[i] = 0;
  return x == 0 ? 0 : 1;
}
//~ paths: 1
//~ exits: 0
