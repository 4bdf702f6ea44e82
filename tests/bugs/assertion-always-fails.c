#include <assert.h>
int main(void) {
  volatile int zero = 0;
  assert(zero == 1 && "never true"); //~ assertion: assertion failed: zero == 1
  return 0;
}
//~ tests: 1
