#include <setjmp.h>
static jmp_buf gone;
static int waits(void) { return setjmp(gone); }
int main(void) {
  if (waits() == 0)
    longjmp(gone, 1); //~ invalid-call: longjmp to where no setjmp waits
  return 0;
}
//~ replay: no, natively anything may happen
