#include <klee/klee.h>
#include <string.h>
int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  s[3] = 0;
  if (strcmp(s, "go") == 0)
    return 1;
  if (strlen(s) == 3 && strchr(s, '=') == s + 1)
    return 2;
  if (memcmp(s, "zz", 2) == 0)
    return 3;
  return 0;
}
//~ exits: 0 1 2 3
//~ test: s="go\0"
