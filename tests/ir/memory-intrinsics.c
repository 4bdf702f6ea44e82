// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <string.h>
struct block { char bytes[100]; };
static struct block source, target;
int main(void) {
  volatile int n = 100;
  memset(&source, 7, n);
  target = source;
  memmove(target.bytes + 10, target.bytes, 50);
  target.bytes[5] = 1;
  memcpy(source.bytes + n / 2, target.bytes, 20);
  assert(source.bytes[55] == 1 && source.bytes[54] == 7 && target.bytes[99] == 7);
  struct block local = {{1, 2}};
  assert(local.bytes[1] == 2 && local.bytes[99] == 0);
  return 0;
}
//~ paths: 1
