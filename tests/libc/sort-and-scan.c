#define _GNU_SOURCE
#include <ctype.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b, void *sign) { return (*(int *)a - *(int *)b) * *(int *)sign; }
int main(void) {
  int numbers[] = {5, 3, 9, 1, 7, 7, -2}, down = -1, n = 0, x = 0, count;
  char word[8], set[8], c;
  long l;
  double d;
  long double ld;
  void *p;
  qsort_r(numbers, 7, sizeof *numbers, compare, &down);
  for (int i = 0; i < 7; i++)
    printf("%d ", numbers[i]);
  count = sscanf("17 0x2a -5 word abc! 2.5e3 1.25L", "%d %i %ld %7s %[a-c]%c %lf %Lf%n", &n, &x, &l, word, set, &c, &d, &ld, &n);
  printf("| %d %d %d %ld %s %s %c %g %Lg ", count, n, x, l, word, set, c, d, ld);
  printf("%d %d ", sscanf("x", "%d", &n), sscanf("", "%d", &n));
  printf("%d| ", sscanf("0x10 7", "%p", &p));
  for (int i = -1; i < 256; i += 31)
    printf("%d%d%d%d%c", !!isalpha(i), !!isspace(i), !!ispunct(i), toupper(i) == i, i > 224 ? '\n' : ' ');
  printf("%d %d %s %s\n", strverscmp("a9", "a10") < 0, strcasecmp("HeLLo", "hEllO"), strchrnul("abc", 'x'),
         (char *)rawmemchr("find me", ' '));
  return 0;
}
//~ output: 9 7 7 5 3 1 -2 | 8 31 42 -5 word abc ! 2500 1.25 0 -1 1| 0001 0001 0011 0011 0011 0001 0001 0001 0001\n1 0   me\n
//~ exits: 0
