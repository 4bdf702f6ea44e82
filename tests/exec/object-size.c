#include <klee/klee.h>
#include <stdlib.h>
static char global[10];
int main(void) {
  short local[3];
  char *heap = malloc(77);
  int good = klee_get_obj_size(global) == 10 && klee_get_obj_size(local) == 6 && klee_get_obj_size(heap) == 77;
  free(heap);
  return good ? 0 : 1;
}
//~ exits: 0
//~ replay: no, natively no size is known
