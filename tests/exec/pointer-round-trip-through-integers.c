#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>
#include <string.h>
int main(void) {
  int x = 12;
  uintptr_t number = (uintptr_t)&x ^ 0xff;
  unsigned char bytes[sizeof(int *)];
  memcpy(bytes, &number, sizeof bytes);
  memcpy(&number, bytes, sizeof bytes);
  int *back = (int *)(number ^ 0xff);
  *back += 1;
  assert(x == 13);
  return 0;
}
//~ paths: 1
