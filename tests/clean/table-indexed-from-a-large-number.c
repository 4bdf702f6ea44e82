// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
// The constant part of the address lies far before the table, where another object could be.
#include <assert.h>
#include <klee/klee.h>
int before[100000];
int table[16];
int after[100000];
int main(void) {
  unsigned long code;
  klee_make_symbolic(&code, sizeof code, "code");
  for (int i = 0; i < 16; i++)
    table[i] = i;
  if (code < 0xac00 || code >= 0xac10)
    return 3;
  assert(table[code - 0xac00] == (int)(code - 0xac00));
  table[code - 0xac00] = 7;
  return 0;
}
//~ paths: 2..3
//~ exits: 0 3
