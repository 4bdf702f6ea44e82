// run: --check=leak
#include <stdlib.h>
// Freed by what runs at exit, which is before leaks are looked for.
static char *cache;
static void drop(void) { free(cache); }
int main(void) {
  cache = malloc(32);
  cache[31] = 1;
  atexit(drop);
  return 0;
}
