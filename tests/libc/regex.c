#include <regex.h>
#include <stdio.h>
int main(void) {
  regex_t pattern;
  regmatch_t parts[4];
  char text[64];
  int bad = regcomp(&pattern, "a(b", REG_EXTENDED);
  regerror(bad, &pattern, text, sizeof text);
  printf("%d %d ", bad, text[0] != 0);
  printf("%d ", regcomp(&pattern, "([a-z]+)-([0-9]{2,3})(x)?", REG_EXTENDED | REG_ICASE));
  printf("%d ", regexec(&pattern, "  Word-1234", 4, parts, 0));
  for (int i = 0; i < 4; i++)
    printf("%d..%d ", (int)parts[i].rm_so, (int)parts[i].rm_eo);
  printf("%zu %d\n", pattern.re_nsub, regexec(&pattern, "nothing", 4, parts, 0));
  regfree(&pattern);
  printf("%d ", regcomp(&pattern, "^\\(.*\\)x\\1$", REG_NEWLINE));
  printf("%d\n", regexec(&pattern, "ab\nyoxyo\n", 2, parts, 0));
  printf("%d..%d\n", (int)parts[1].rm_so, (int)parts[1].rm_eo);
  regfree(&pattern);
  return 0;
}
//~ output: 8 1 0 0 2..10 2..6 7..10 -1..-1 3 1\n0 0\n3..5\n
//~ exits: 0
