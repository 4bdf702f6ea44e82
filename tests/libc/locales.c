#define _GNU_SOURCE
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>
int main(void) {
  wchar_t wide[16];
  mbstate_t state = {0};
  printf("%s %d ", setlocale(LC_ALL, ""), (int)MB_CUR_MAX);
  printf("%d ", setlocale(LC_ALL, "C.UTF-8") != 0);
  printf("%d %s ", MB_CUR_MAX > 1, nl_langinfo(CODESET));
  const char *text = "gr\xc3\xbc\xc3\x9f\xe2\x82\xac";
  size_t n = mbstowcs(wide, text, 16);
  printf("%d %x %x %x ", (int)n, wide[2], wide[4], towupper(wide[2]));
  printf("%d %d %d ", (int)mbrtowc(wide, "\xff", 1, &state), (int)mbrlen("\xe2\x82", 2, &(mbstate_t){0}), wcwidth(0x4e00));
  printf("%d %d %d %s\n", !!iswalpha(0xe4), !!iswdigit('7'), snprintf(0, 0, "%ls", L"\x3b1\x20ac"), localeconv()->decimal_point);
  return 0;
}
//~ output: C 1 1 1 UTF-8 5 fc 20ac dc -1 -2 2 1 1 5 .\n
//~ exits: 0
