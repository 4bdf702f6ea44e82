#include <stdlib.h>
#include <unistd.h>
static void first(void) { write(1, "1", 1); }
static void second(void) { write(1, "2", 1); }
__attribute__((destructor)) static void last(void) { write(1, "d", 1); }
int main(void) {
  atexit(first);
  atexit(second);
  write(1, "m", 1);
  return 0;
}
//~ output: m21d
