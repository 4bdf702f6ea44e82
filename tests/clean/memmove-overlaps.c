#include <assert.h>
#include <string.h>
int main(void) {
  char buf[9] = "12345678";
  memmove(buf + 2, buf, 6);
  assert(memcmp(buf, "12123456", 8) == 0);
  memmove(buf, buf + 3, 5);
  assert(memcmp(buf, "23456456", 8) == 0);
  memmove(buf + 9, buf + 9, 0);
  return 0;
}
//~ paths: 1
