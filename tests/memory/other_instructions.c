// Atomic operations, floating point, bit-fields and vectors through a pointer that may lead to several objects.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,flat,segmented,dynamic} --cc-flags=-O2
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
struct bits { unsigned low : 5, middle : 20, high : 7; double real; int count; __int128 wide; };
int main(void) {
  struct bits *all[3];
  for (int r = 0; r < 3; r++) {
    all[r] = calloc(1, sizeof(struct bits));
    all[r]->middle = 1000 * r;
    all[r]->real = r + 0.5;
    all[r]->wide = (__int128)r << 100;
  }
  unsigned char i, k;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(i < 3);
  klee_assume(k < 3);
  all[i]->middle += 5;
  if (all[k]->middle == 1005)
    return i == 1 && k == 1 ? 1 : 99;
  __atomic_fetch_add(&all[i]->count, 7, __ATOMIC_SEQ_CST);
  int seven = 7;
  if (__atomic_compare_exchange_n(&all[k]->count, &seven, 8, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) != (i == k))
    return 98;
  double moved = all[i]->real;
  all[k]->real = moved;
  all[i]->wide += 1;
  if (all[k]->wide == ((__int128)2 << 100) + 1)
    return i == 2 && k == 2 ? 2 : 97;
  if (all[0]->count == 8)
    return i == 0 && k == 0 ? 3 : 96;
  return (all[i]->wide & 0xff) == 1 && all[i]->count >= 7 ? 0 : 95;
}
//~ exits: 0 1 2 3
