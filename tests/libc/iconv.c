#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char in[] = "gr\xc3\xbc\xc3\x9f", out[16], back[16], *from = in, *to = out;
  size_t left = strlen(in), room = sizeof out;
  iconv_t convert = iconv_open("ISO-8859-1", "UTF-8");
  printf("%d ", (int)iconv(convert, &from, &left, &to, &room));
  for (char *at = out; at < to; at++)
    printf("%02x ", (unsigned char)*at);
  iconv_close(convert);
  convert = iconv_open("UTF-8", "ISO-8859-1");
  from = out, left = to - out, to = back, room = sizeof back;
  printf("%d %d ", (int)iconv(convert, &from, &left, &to, &room), !memcmp(back, in, strlen(in)));
  iconv_close(convert);
  convert = iconv_open("UTF-16LE", "UTF-8");
  from = in, left = 3, to = out, room = sizeof out;
  printf("%d %d %d\n", (int)iconv(convert, &from, &left, &to, &room), errno == EINVAL, (int)(to - out));
  printf("%d\n", iconv_open("no such", "UTF-8") == (iconv_t)-1);
  return 0;
}
//~ output: 0 67 72 fc df 0 1 -1 1 4\n1\n
//~ exits: 0
