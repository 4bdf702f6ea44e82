// Blocks of bytes copied from and to a symbolic pointer.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
struct record { int key; char name[20]; };
int main(void) {
  struct record *records[3], copy;
  for (int r = 0; r < 3; r++) {
    records[r] = calloc(1, sizeof(struct record));
    records[r]->key = r;
    records[r]->name[r] = 'a' + r;
  }
  unsigned char i, k;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(i < 3);
  klee_assume(k < 3);
  copy = *records[i];
  if (copy.key != i)
    return 99;
  copy.key = 9;
  *records[k] = copy;
  memset(records[k]->name + 10, 'z', 10);
  if (records[0]->name[2] == 'c')
    return i == 2 && k == 0 ? 1 : 98;
  if (records[i]->name[15] == 'z')
    return i == k ? 2 : 97;
  return memcmp(records[i]->name, records[k]->name, 10) == 0 && records[k]->key == 9 ? 0 : 96;
}
//~ exits: 0 1 2
//~ test: i=2 k=0
