#include <klee/klee.h>
int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, 1, "n");
  klee_assume(n <= 20);
  int total = 0;
  for (int i = 0; i < n; i++)
    total += i;
  return total;
}
//~ paths: 21
