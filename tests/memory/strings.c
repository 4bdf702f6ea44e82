// Functions on strings given one of several.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
#include <klee/klee.h>
#include <string.h>
int main(void) {
  const char *words[4] = {"osier", "willow", "o", ""};
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 4);
  const char *word = words[i];
  if (strlen(word) == 6)
    return i == 1 ? 1 : 99;
  if (!strcmp(word, "osier"))
    return i == 0 ? 2 : 98;
  if (strchr(word, 'o'))
    return i == 2 ? 3 : 97;
  return word[0] == 0 && i == 3 ? 0 : 96;
}
//~ exits: 0 1 2 3
