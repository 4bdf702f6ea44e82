// run: --cc-flags="-g -O0"
// run: --cc-flags="-g -O2"
#include <stdio.h>
int main(void) {
  printf("%d %s %5.3f %c %lx %Lf|", 42, "world", 3.14159, 'x', 0xdeadbeefL, 1.5L);
  printf("%08.2e|%-6s|%+d|%%\n", 12345.678, "ab", 7);
  return 3;
}
//~ output: 42 world 3.142 x deadbeef 1.500000|1.23e+04|ab    |+7|%\n
//~ exits: 3
//~ paths: 1
