#include <assert.h>
#include <klee/klee.h>
static unsigned char ring[8];
static unsigned head, tail;
static void push(unsigned char c) { ring[head++ & 7] = c; }
static unsigned char pop(void) { return ring[tail++ & 7]; }
int main(void) {
  unsigned start;
  klee_make_symbolic(&start, sizeof start, "start");
  head = tail = start;
  for (int i = 0; i < 8; i++)
    push(i * 3);
  for (int i = 0; i < 8; i++)
    assert(pop() == i * 3);
  return 0;
}
//~ exits: 0
