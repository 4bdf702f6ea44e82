#include <klee/klee.h>
// Such a pointer may be formed and compared, not followed.
int main(void) {
  int values[3] = {1, 2, 3}, total = 0;
  for (int *p = values, *end = values + 3; p != end; p++)
    total += *p;
  return total == 6 ? 0 : 1;
}
//~ paths: 1
//~ exits: 0
