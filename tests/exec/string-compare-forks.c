#include <klee/klee.h>
int main(void) {
  char s[5];
  klee_make_symbolic(s, sizeof s, "s");
  const char *word = "move";
  int i = 0;
  while (word[i] && s[i] == word[i])
    i++;
  return i;
}
//~ paths: 5
//~ exits: 0*1 1*1 2*1 3*1 4*1
//~ test: s="move"
