// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <string.h>
#include <klee/klee.h>
// Loops that the optimiser turns into memset, memcpy, strlen and closed forms.
static char a[64], b[64];
int main(void) {
  unsigned char n;
  volatile int length = 60;
  klee_make_symbolic(&n, 1, "n");
  for (int i = 0; i < length; i++)
    a[i] = 'q';
  for (int i = 0; i < length; i++)
    b[i] = a[i];
  int count = 0;
  while (b[count])
    count++;
  assert(count == 60);
  unsigned total = 0;
  for (unsigned i = 0; i < 10; i++)
    total += n * i;
  assert(total == 45u * n);
  return 0;
}
//~ paths: 1
