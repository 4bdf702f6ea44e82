// Pointers chosen by conditions and not by a table.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  long a = 1, b = 2, *c = malloc(sizeof *c);
  *c = 3;
  unsigned char x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  long *both[2] = {&a, &b}, *p = both[x > 100], *pair[2] = {p, c}, *q = pair[y & 1];
  *q += 10;
  if (*p == 11)
    return x <= 100 && !(y & 1) ? 1 : 99;
  if (*p == 12)
    return x > 100 && !(y & 1) ? 2 : 98;
  if (*c == 13)
    return a + b == 3 && y & 1 ? 3 : 97;
  return 96;
}
//~ exits: 1 2 3
