#include <string.h>
int main(void) {
  char name[4];
  strcpy(name, "long"); //~ out-of-bounds: of name (4 bytes)
  return 0;
}
