#define _GNU_SOURCE
#include <regex.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  struct re_pattern_buffer pattern = {0};
  struct re_registers parts = {0};
  const char *text = "first 12, then 345";
  int length = strlen(text);
  re_set_syntax(RE_SYNTAX_POSIX_EXTENDED);
  printf("%d ", re_compile_pattern("([0-9])([0-9]+)", 15, &pattern) == 0);
  printf("%d %zu ", re_search(&pattern, text, length, 0, length, &parts), pattern.re_nsub);
  printf("%d..%d %d..%d ", parts.start[1], parts.end[1], parts.start[2], parts.end[2]);
  printf("%d ", re_search(&pattern, text, length, length, -length, &parts));
  printf("%d ", re_search(&pattern, text, length, 8, 3, &parts));
  printf("%d %d\n", re_match(&pattern, text, length, 15, 0), re_match(&pattern, text, length, 0, 0));
  regfree(&pattern);
  re_set_syntax(RE_SYNTAX_POSIX_BASIC | RE_ICASE);
  pattern = (struct re_pattern_buffer){0};
  printf("%d ", re_compile_pattern("\\(T\\).*\\1$", 10, &pattern) == 0);
  printf("%d\n", re_search(&pattern, "a tall tree", 9, 0, 9, 0));
  regfree(&pattern);
  return 0;
}
//~ output: 1 6 2 6..7 7..8 16 -1 3 -1\n1 -1\n
//~ exits: 0
