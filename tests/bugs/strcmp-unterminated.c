#include <string.h>
int main(void) {
  char a[2] = {'x', 'y'};
  return strcmp(a, "xyz"); //~ out-of-bounds: 1 past the end of a (2 bytes)
}
