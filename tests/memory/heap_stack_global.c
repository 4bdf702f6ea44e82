// Targets of every kind of memory and of every width of access.
// run: --memory={auto,fork,merge,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
static union words { char c[32]; short s[16]; int i[8]; long l[4]; } global;
int main(void) {
  union words local = {{0}}, *heap = calloc(1, sizeof *heap), *all[3] = {&local, &global, heap};
  unsigned char i, j, k;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(i < 3);
  klee_assume(k < 3);
  klee_assume(j < 4);
  all[i]->l[j] = 0x0807060504030201;
  if (all[k]->c[8 * j] == 1 && (i != k || all[k]->s[4 * j + 1] != 0x0403 || all[k]->i[2 * j + 1] != 0x08070605))
    return 99;
  all[k]->i[j] = -1;
  if (all[i]->l[j] == 0x08070605ffffffff)
    return i == k && j == 0 ? 1 : 98;
  if (all[i]->l[j] != 0x0807060504030201)
    return 97;
  all[k]->c[31 - j] = 'x';
  if (all[k]->c[30] == 'x')
    return j == 1 ? 2 : 96;
  return 0;
}
//~ exits: 0 1 2
