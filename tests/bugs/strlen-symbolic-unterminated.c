#include <klee/klee.h>
#include <string.h>
int main(void) {
  char word[3];
  klee_make_symbolic(word, sizeof word, "word");
  return strlen(word) > 2; //~ out-of-bounds: 1 past the end of word (3 bytes)
}
//~ exits: 0
