#include <assert.h>
#include <string.h>
int main(void) {
  char buf[16];
  strcpy(buf, "abc");
  strcat(buf, "def");
  assert(strlen(buf) == 6);
  assert(strcmp(buf, "abcdef") == 0);
  assert(strcmp(buf, "abcdeg") < 0 && strcmp(buf, "abcde") > 0);
  assert(strncmp(buf, "abcxyz", 3) == 0 && strncmp(buf, "abcxyz", 4) < 0);
  assert(strchr(buf, 'd') == buf + 3 && strchr(buf, 'z') == 0 && strchr(buf, 0) == buf + 6);
  assert(strrchr("a/b/c", '/')[1] == 'c');
  memset(buf, 'x', sizeof buf);
  strncpy(buf, "hi", 5);
  assert(buf[1] == 'i' && buf[2] == 0 && buf[4] == 0 && buf[5] == 'x');
  assert(memchr("hello", 'l', 5) != 0 && memchr("hello", 'o', 4) == 0);
  assert(memcmp("abc", "abd", 2) == 0 && memcmp("abc", "abd", 3) < 0);
  assert(memcmp("\xff", "\x01", 1) > 0 && strcmp("\xff", "\x01") > 0);
  return 0;
}
//~ paths: 1
