// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <klee/klee.h>
__attribute__((noinline)) static int days(int month) {
  switch (month) {
  case 2: return 28;
  case 4: case 6: case 9: case 11: return 30;
  case 1: case 3: case 5: case 7: case 8: case 10: case 12: return 31;
  default: return 0;
  }
}
int main(void) {
  int month;
  klee_make_symbolic(&month, sizeof month, "month");
  int d = days(month);
  assert((d != 0) == (month >= 1 && month <= 12));
  assert(d != 28 || month == 2);
  return 0;
}
//~ exits: 0
