#include <string.h>
int main(void) {
  char path[8] = "/usr";
  strcat(path, "/lib"); //~ out-of-bounds: of path (8 bytes)
  return 0;
}
