#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  void *a = aligned_alloc(256, 512), *b = memalign(64, 10), *c = 0;
  assert((uintptr_t)a % 256 == 0);
  assert((uintptr_t)b % 64 == 0);
  assert(posix_memalign(&c, 4096, 1) == 0 && (uintptr_t)c % 4096 == 0);
  assert((uintptr_t)malloc(1) % 16 == 0);
  free(a);
  free(b);
  free(c);
  return 0;
}
//~ paths: 1
