// run: --cc-flags="-O2 -D_FORTIFY_SOURCE=2"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
__attribute__((noinline)) static void fill(char *to, const char *from, int n) {
  memcpy(to, from, n);
  to[n] = 0;
}
int main(int argc, char **argv) {
  char small[16], line[32];
  int n = argc + 3;
  wchar_t wide[8];
  fill(small, "abcdefgh", n);
  printf("%s|", small);
  strcpy(line, small);
  strcat(line, argc > 5 ? "x" : "yz");
  strncat(line, "123456", n);
  printf("%s %zu|", line, strlen(line));
  snprintf(small, n + 1, "%d-%s", 12345, "long");
  printf("%s|", small);
  sprintf(small, "%5.2f", n * 1.5);
  fprintf(stdout, "%s|", small);
  memset(line, '=', n);
  line[n] = 0;
  printf("%s|%s|", line, stpcpy(small, "end") - 3);
  char *text;
  if (asprintf(&text, "%d %c", n, 'q') > 0)
    printf("%s|", text);
  free(text);
  wcscpy(wide, argc > 7 ? L"a" : L"wide");
  printf("%ls %zu\n", wide, wcslen(wide));
  return 0;
}
//~ output: abcd|abcdyz1234 10|1234| 6.00|====|end|4 q|wide 4\n
//~ exits: 0
