// Two pointers whose targets overlap, and a third over all of them.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=8 --split-threshold=8
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *a = calloc(12, 1), *b = calloc(20, 1), *c = calloc(9, 1);
  unsigned char i, j, k, l, m;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_make_symbolic(&l, sizeof l, "l");
  klee_make_symbolic(&m, sizeof m, "m");
  klee_assume(i < 2);
  klee_assume(k < 2);
  klee_assume(m < 3);
  klee_assume(j < 9);
  klee_assume(l < 9);
  char *first[2] = {a, b}, *second[2] = {b, c}, *all[3] = {a, b, c};
  first[i][j] = 1;
  second[k][l] += 2;
  char v = all[m][j];
  switch (v) {
  case 0:
    return m != i && !(m == k + 1 && l == j) ? 0 : 99;
  case 1:
    return m == i && !(m == k + 1 && l == j) ? 1 : 98;
  case 2:
    return m != i && m == k + 1 && l == j ? 2 : 97;
  case 3:
    return m == i && m == k + 1 && l == j && m == 1 ? 3 : 96;
  default:
    return 95;
  }
}
//~ exits: 0 1 2 3
