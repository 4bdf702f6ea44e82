#include <klee/klee.h>
// The hash of "fox", found backwards.
int main(void) {
  unsigned char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  unsigned hash = 0x811c9dc5u;
  for (int i = 0; i < 3; i++) {
    hash ^= s[i];
    hash *= 0x01000193u;
  }
  if (hash == 0xb6f3934eu)
    return 1;
  return 0;
}
//~ paths: 2
//~ test: s="fox"
