#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char flag;
  klee_make_symbolic(&flag, 1, "flag");
  char *block = malloc(4);
  block[0] = 1;
  if (flag == 'f')
    free(block);
  return block[0]; //~ use-after-free: read of 1 byte
}
//~ test: flag=0x66
//~ exits: 1*1
