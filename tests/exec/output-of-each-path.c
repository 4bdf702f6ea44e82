#include <klee/klee.h>
#include <unistd.h>
int main(void) {
  int x = klee_range(0, 2, "x");
  write(1, "a", 1);
  if (x)
    write(1, "b", 1);
  else
    write(2, "c", 1);
  return 0;
}
//~ paths: 2
//~ output: ab
//~ output: ac
