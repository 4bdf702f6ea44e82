// run: --memory={auto,fork,merge,dynamic,segmented}
// run: --memory=segmented --segment-limit=8
// A pointer put together from halves has no shape. What its instruction led to before is tried first; the block that it
// cannot lead to this time gets no state.
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>
__attribute__((noinline)) char at(uint32_t high, uint32_t low) { return *(char *)((uint64_t)high << 32 | low); }
uint32_t low(void *p) { return (uint32_t)(uint64_t)p; }
uint32_t high(void *p) { return (uint64_t)p >> 32; }
int main(void) {
  char *blocks[3];
  for (int k = 0; k < 3; k++) {
    blocks[k] = malloc(16);
    blocks[k][0] = k + 1;
  }
  if (high(blocks[0]) != high(blocks[2]))
    return 2;
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 3);
  klee_assume(j < 2);
  uint32_t lows[3] = {low(blocks[0]), low(blocks[1]), low(blocks[2])};
  char first = at(high(blocks[0]), lows[i]);
  klee_assert(first == i + 1);
  char second = at(high(blocks[0]), lows[j]);
  klee_assert(second == j + 1);
  for (int k = 0; k < 3; k++)
    free(blocks[k]);
  return 0;
}
//~ exits: 0
