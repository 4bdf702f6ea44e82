// A symbolic place is written with a symbolic pointer, which is then followed.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *slots[3], *other[2], *x = calloc(4, 1), *y = calloc(4, 1), *z = calloc(4, 1);
  x[0] = 'x';
  y[0] = 'y';
  z[0] = 'z';
  slots[0] = slots[1] = slots[2] = x;
  other[0] = y;
  other[1] = z;
  unsigned char i, j, k;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(i < 3);
  klee_assume(j < 2);
  klee_assume(k < 3);
  slots[i] = other[j];
  char c = slots[k][0];
  if (c == 'x')
    return k != i ? 1 : 99;
  if (c == 'y')
    return k == i && j == 0 ? 2 : 98;
  if (c != 'z' || k != i || j != 1)
    return 97;
  slots[k][1] = c;
  return z[1] == 'z' && y[1] == 0 && x[1] == 0 ? 3 : 96;
}
//~ exits: 1 2 3
