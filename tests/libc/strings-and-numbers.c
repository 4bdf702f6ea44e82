#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int numbers[] = {5, 3, 9, 1};
  qsort(numbers, 4, sizeof *numbers, by_value);
  for (int i = 0; i < 4; i++)
    printf("%d ", numbers[i]);
  char *end;
  long value = strtol("123abc", &end, 10);
  char *copy = strdup("a,b");
  for (char *part = strtok(copy, ","); part; part = strtok(0, ","))
    printf("[%s]", part);
  free(copy);
  int n = 0, m = 0;
  sscanf("17 42", "%d %x", &n, &m);
  printf("%ld%s %d %d %d %s\n", value, end, n, m, !!isdigit('7'), strstr("needle in hay", "in"));
  return 0;
}
//~ output: 1 3 5 9 [a][b]123abc 17 66 1 in hay\n
//~ exits: 0
