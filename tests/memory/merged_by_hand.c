// run: --memory=fork //~ paths: 2
// run: --memory={auto,merge,dynamic} //~ paths: 1
// Two of three objects are one array for a pointer that may lead to any of them; the third has a state of its own.
#include <klee/klee.h>
#include <osier.h>
char a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {11, 12, 13, 14, 15, 16, 17, 18}, c[8];
int main(void) {
  char *table[3] = {a, b, c};
  osier_merge_objects(a, b);
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 3);
  klee_assume(j < 8);
  table[i][j] += 1;
  return 0;
}
//~ exits: 0
