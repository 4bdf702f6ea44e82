// run: --cc-flags="-g -fsanitize=undefined"
// run: --cc-flags="-g -O1 -fsanitize=undefined"
#include <klee/klee.h>
struct point {
  int x, y;
};
int main(void) {
  struct point points[3] = {{1, 2}, {3, 4}, {5, 6}};
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i >= 3)
    return 1;
  int total = points[i].x * 2 + (points[i].y << i);
  return total >= 4 && total <= 34 ? 0 : 2;
}
//~ exits: 0 1
