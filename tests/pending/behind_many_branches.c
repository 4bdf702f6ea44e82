// The assertion depends on the first branch alone; thousands of paths lie between. Without pending constraints it takes
// more than a million instructions to get there. The order of the branch's sides must not matter.
// run: --pending --search=random-path --exit-on-error=assertion --max-instructions=70000 --seed={0,1,2,3,4,5,6,7,8,9}
// run: --pending --search=random-path --exit-on-error=assertion --max-instructions=70000 --seed={0,1,2,3,4,5,6,7,8,9} --cc-flags="-O0 -g -DSWAPPED"
//~ stopped: error
//~ paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdbool.h>
static int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
int main(void) {
  bool is_space;
  char str[6];
  klee_make_symbolic(&is_space, sizeof is_space, "is_space");
  klee_make_symbolic(str, sizeof str, "str");
#ifdef SWAPPED
  if (!is_space)
    str[0] = 0;
  else
    str[0] = ' ';
#else
  if (is_space)
    str[0] = ' ';
  else
    str[0] = 0;
#endif
  for (int i = 1; i < 6; i++)
    for (int j = 0; j < str[i]; j++)
      str[i - 1]++;
  volatile int f = fib(15);
  (void)f;
  assert(!is_space); //~ assertion
  return 0;
}
