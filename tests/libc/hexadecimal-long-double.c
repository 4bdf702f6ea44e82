#include <stdio.h>
int main(void) {
  printf("%La %.3La %LA\n", 1.1L, -0.3L, 1e4000L);
  return 0;
}
//~ output: 0x1.199999999999999ap+0 -0x1.333p-2 0X1.A3750647FCAB18C2P+13287\n
//~ replay: no, glibc writes the first digit otherwise
