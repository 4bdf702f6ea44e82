#include <klee/klee.h>
int main(void) {
  int x = 4;
  unsigned char present;
  klee_make_symbolic(&present, 1, "present");
  int *p = present ? &x : (int *)0;
  return *p; //~ null-pointer: read of 4 bytes through a null pointer
}
//~ test: present=0
//~ exits: 4
