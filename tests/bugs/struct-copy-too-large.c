#include <string.h>
struct small {
  int a, b;
};
struct large {
  int a, b, c;
};
int main(void) {
  struct small s = {1, 2};
  struct large l;
  memcpy(&l, &s, sizeof l); //~ out-of-bounds: read of 12 bytes, 4 past the end of s (8 bytes)
  return l.a;
}
