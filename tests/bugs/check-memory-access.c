#include <klee/klee.h>
int main(void) {
  char buf[8];
  klee_check_memory_access(buf, 8);
  klee_check_memory_access(buf + 4, 8); //~ out-of-bounds: 4 past the end of buf (8 bytes)
  return 0;
}
