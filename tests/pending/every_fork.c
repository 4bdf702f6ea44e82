// Everything that forks leaves a pending state behind: branches, switches, calls and accesses through pointers, sizes.
// run: --memory=fork --no-pending
// run: --memory=fork
// run: --memory=fork --pending --search={dfs,bfs,random-path,random-state,by-place,nurs:covnew,nurs:depth,zesti}
// run: --memory=fork --relaxed-checks
//~ exits: 1*1 2*1 3*3 11*1 12*1 13*1 22*1 24*1 26*1
//~ covered: 100%
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int three(int x) { return x + 3; }
static int (*const functions[])(int) = {one, two, three};
static int a = 11, b = 12, c = 13;
static int *const objects[] = {&a, &b, &c};
int main(void) {
  unsigned char kind, which;
  klee_make_symbolic(&kind, sizeof kind, "kind");
  klee_make_symbolic(&which, sizeof which, "which");
  klee_assume(which < 3);
  klee_assume(kind < 4);
  switch (kind) {
  case 0:
    return functions[which](0);
  case 1:
    return *objects[which];
  case 2:
    if (which == 0)
      return 3;
    return which == 1 ? 3 : 3;
  default: {
    char *p = malloc(4 + which);
    memset(p, 2, 2 + which);
    p[2 + which] = 0;
    int n = strlen(p);
    free(p);
    return 18 + 2 * n;
  }
  }
}
