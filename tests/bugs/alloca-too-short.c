#include <alloca.h>
int main(void) {
  char *buf = alloca(12);
  buf[12] = 1; //~ out-of-bounds: write of 1 byte, 1 past the end
  return 0;
}
