// run: --cc-flags="-g -O0"
// run: --cc-flags="-g -O2"
#include <klee/klee.h>
#include <setjmp.h>
static jmp_buf back;
static void deeper(int n) {
  char local[8];
  local[n & 7] = 1;
  if (n == 3)
    longjmp(back, local[3] + 4);
  deeper(n + 1);
}
int main(void) {
  volatile int times = 0;
  unsigned char c;
  klee_make_symbolic(&c, 1, "c");
  int code = setjmp(back);
  if (code == 5)
    return times + 10;
  times++;
  if (c > 100)
    deeper(0);
  return times;
}
//~ paths: 2
//~ exits: 1 11
