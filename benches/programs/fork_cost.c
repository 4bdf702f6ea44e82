/* A state with 1,000 heap objects that forks again and again. With WRITES, every path writes to another of the objects
   between two forks, and so copies what it shares with the other side. */
#include <klee/klee.h>
#include <stdlib.h>
#ifndef WRITES
#define WRITES 1
#endif
#define OBJECTS 1000
#define FORKS 13
static unsigned char *objects[OBJECTS];
int main(void) {
  for (int i = 0; i < OBJECTS; i++) {
    objects[i] = malloc(16);
    objects[i][0] = (unsigned char)i;
  }
  unsigned char b[FORKS];
  klee_make_symbolic(b, sizeof b, "b");
  unsigned char side;
  for (int i = 0; i < FORKS; i++) {
    if (b[i] < 100)
      side = 1;
    else
      side = 2;
#if WRITES
    objects[76 * i][1] = side;
#endif
  }
  return 0;
}
