#include <klee/klee.h>
static const char word[4] = {'l', 'i', 'v', 'e'};
int main(void) {
  unsigned char p[4];
  klee_make_symbolic(p, sizeof p, "p");
  for (int i = 0; i < 4; i++)
    klee_assume(p[i] < 4);
  if (word[p[0]] == 'e')
    if (word[p[1]] == 'v')
      if (word[p[2]] == 'i')
        if (word[p[3]] == 'l')
          return 1;
  return 0;
}
//~ paths: 5
//~ test: p="\x03\x02\x01\0"
