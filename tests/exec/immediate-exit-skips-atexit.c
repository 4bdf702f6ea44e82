#include <stdlib.h>
#include <unistd.h>
static void never(void) { write(1, "never", 5); }
int main(void) {
  atexit(never);
  write(1, "now", 3);
  _exit(2);
}
//~ output: now
//~ exits: 2
