#include <stdio.h>
#include <stdlib.h>
static void quick(void) {
  puts("quick");
  fflush(stdout);
}
static void slow(void) { puts("slow"); }
int main(void) {
  atexit(slow);
  at_quick_exit(quick);
  quick_exit(4);
}
//~ exits: 4
//~ output: quick\n
