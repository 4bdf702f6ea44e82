#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>
static int global = 1;
int main(void) {
  int local = 10, *heap = malloc(sizeof(int));
  *heap = 100;
  int x = klee_range(0, 3, "x");
  if (x == 0) {
    global = 2;
    local = 20;
  } else if (x == 1) {
    *heap = 300;
    free(heap);
    heap = &local;
  }
  if (x == 0)
    assert(global == 2 && local == 20 && *heap == 100);
  else if (x == 1)
    assert(global == 1 && *heap == 10);
  else
    assert(global == 1 && local == 10 && *heap == 100);
  return x == 0;
}
//~ paths: 3
