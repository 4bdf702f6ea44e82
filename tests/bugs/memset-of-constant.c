#include <string.h>
static const char table[4] = {1, 2, 3, 4};
int main(void) {
  char *volatile p = (char *)table;
  memset(p, 0, 2); //~ read-only-write: write of 2 bytes to constant table (4 bytes)
  return 0;
}
