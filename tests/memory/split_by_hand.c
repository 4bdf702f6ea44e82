// run: --memory={auto,fork} //~ paths: 2
// run: --memory={merge,dynamic} //~ paths: 1
// An object in four chunks, of which the path allows two.
#include <klee/klee.h>
#include <osier.h>
char bytes[64];
int main(void) {
  bytes[9] = 5;
  osier_split_object(bytes, 16);
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 20);
  char value = bytes[i];
  bytes[i] = 7;
  klee_assert(bytes[i] == 7);
  klee_assert(value == (i == 9 ? 5 : 0));
  return 0;
}
//~ exits: 0
