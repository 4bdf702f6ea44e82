/* Reads a record from standard input: a magic word, a length, a checksum, and so many bytes, in which brackets must not
 * be nested too deeply. To try seeds and fuzzers with: see docs/seeds.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char buf[24] = {0};
  size_t size = fread(buf, 1, sizeof buf, stdin);
  if (size < 8 || memcmp(buf, "OSR1", 4) != 0)
    return 1;
  unsigned len = buf[4], sum = 0;
  if (len > 16 || size < 7 + len)
    return 2;
  for (unsigned i = 0; i < len; i++)
    sum = (sum * 31 + buf[7 + i]) & 0xffff;
  if (sum != (buf[5] | buf[6] << 8))
    return 3;
  int depth = 0;
  for (unsigned i = 0; i < len; i++) {
    if (buf[7 + i] == '(')
      depth++;
    else if (buf[7 + i] == ')')
      depth--;
    if (depth < 0)
      return 4;
    if (depth == 6)
      abort();
  }
  return 0;
}
