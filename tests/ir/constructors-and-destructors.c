// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <unistd.h>
static char order[8];
static int used;
__attribute__((constructor(200))) static void second(void) { order[used++] = 'b'; }
__attribute__((constructor(101))) static void first(void) { order[used++] = 'a'; }
__attribute__((constructor)) static void third(void) { order[used++] = 'c'; }
__attribute__((destructor(101))) static void last(void) { write(1, "z", 1); }
__attribute__((destructor)) static void early(void) { write(1, "y", 1); }
int main(void) {
  write(1, order, used);
  return 0;
}
//~ output: abcyz
