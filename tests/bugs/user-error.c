#include <klee/klee.h>
int main(void) {
  int x = klee_range(0, 4, "x");
  if (x == 2)
    klee_report_error(__FILE__, __LINE__, "two is not allowed", "user.err"); //~ user: two is not allowed
  return 0;
}
//~ test: x=2
