// Pointers into the middle of objects, moved on both ways.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
static short global[10] = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109};
int main(void) {
  short stack[10], *heap = malloc(10 * sizeof(short));
  for (int c = 0; c < 10; c++) {
    stack[c] = 200 + c;
    heap[c] = 300 + c;
  }
  short *middles[3] = {global + 5, stack + 3, heap + 7};
  unsigned char i;
  signed char j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 3);
  klee_assume(j >= -3);
  klee_assume(j <= 2);
  short *p = middles[i];
  p += j;
  if (*p < 100 || *p > 309)
    return 99;
  if (*p == 203 + 2)
    return i == 1 && j == 2 ? 1 : 98;
  if (*p == 304)
    return i == 2 && j == -3 ? 2 : 97;
  p[0] = -1;
  int changed = (global[5 + j] == -1) + (stack[3 + j] == -1) * 2 + (heap[7 + j] == -1) * 4;
  return changed == 1 << i ? 0 : 96;
}
//~ exits: 0 1 2
//~ test: i=1 j=2
//~ test: i=2 j=-3
