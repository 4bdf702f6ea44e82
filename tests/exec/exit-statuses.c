#include <klee/klee.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  switch (klee_range(0, 4, "x")) {
  case 0: exit(3);
  case 1: _exit(4);
  case 2: return 5;
  }
  exit(200);
}
//~ exits: 3*1 4*1 5*1 200*1
//~ paths: 4
