#include <stdio.h>
int main(void) {
  puts("hello");
  putchar('x');
  return 0;
}
//~ output: hello\nx
