#include <klee/klee.h>
int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  unsigned hash = 5381;
  for (int i = 0; i < 4; i++) {
    klee_assume((s[i] >= 'a') & (s[i] <= 'z'));
    hash = hash * 33 + s[i];
  }
  if (hash == 0x7ca04301u)
    return 1;
  return 0;
}
//~ paths: 2
//~ exits: 0*1 1*1
