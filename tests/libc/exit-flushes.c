#include <stdio.h>
#include <stdlib.h>
static void last(void) { fputs("last\n", stdout); }
int main(void) {
  atexit(last);
  fputs("first ", stdout);
  exit(5);
}
//~ output: first last\n
//~ exits: 5
