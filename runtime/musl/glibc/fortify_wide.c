/* The functions that _FORTIFY_SOURCE puts in place of those on wide characters. Rooms for them are counted in wide
   characters. */
#define _GNU_SOURCE
#include "fortify.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
  return wmemcpy(to, from, count) + count;
}

wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t count, size_t room) {
  fits(count, room);
  return wmemcpy(to, from, count);
}
wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t count, size_t room) {
  fits(count, room);
  return wmemmove(to, from, count);
}
wchar_t *__wmempcpy_chk(wchar_t *to, const wchar_t *from, size_t count, size_t room) {
  fits(count, room);
  return wmempcpy(to, from, count);
}
wchar_t *__wmemset_chk(wchar_t *to, wchar_t what, size_t count, size_t room) {
  fits(count, room);
  return wmemset(to, what, count);
}

wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *from, size_t room) {
  fits(wcslen(from) + 1, room);
  return wcscpy(to, from);
}
wchar_t *__wcpcpy_chk(wchar_t *to, const wchar_t *from, size_t room) {
  fits(wcslen(from) + 1, room);
  return wcpcpy(to, from);
}
wchar_t *__wcsncpy_chk(wchar_t *to, const wchar_t *from, size_t count, size_t room) {
  fits(count, room);
  return wcsncpy(to, from, count);
}
wchar_t *__wcpncpy_chk(wchar_t *to, const wchar_t *from, size_t count, size_t room) {
  fits(count, room);
  return wcpncpy(to, from, count);
}
wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *from, size_t room) {
  fits(wcslen(to) + wcslen(from) + 1, room);
  return wcscat(to, from);
}
wchar_t *__wcsncat_chk(wchar_t *to, const wchar_t *from, size_t count, size_t room) {
  fits(wcslen(to) + wcsnlen(from, count) + 1, room);
  return wcsncat(to, from, count);
}

size_t __mbstowcs_chk(wchar_t *to, const char *from, size_t count, size_t room) {
  fits(count, room);
  return mbstowcs(to, from, count);
}
size_t __wcstombs_chk(char *to, const wchar_t *from, size_t count, size_t room) {
  fits(count, room);
  return wcstombs(to, from, count);
}
size_t __mbsrtowcs_chk(wchar_t *to, const char **from, size_t count, mbstate_t *state, size_t room) {
  fits(count, room);
  return mbsrtowcs(to, from, count, state);
}
size_t __wcsrtombs_chk(char *to, const wchar_t **from, size_t count, mbstate_t *state, size_t room) {
  fits(count, room);
  return wcsrtombs(to, from, count, state);
}
size_t __mbsnrtowcs_chk(wchar_t *to, const char **from, size_t bytes, size_t count, mbstate_t *state, size_t room) {
  fits(count, room);
  return mbsnrtowcs(to, from, bytes, count, state);
}
size_t __wcsnrtombs_chk(char *to, const wchar_t **from, size_t wide, size_t count, mbstate_t *state, size_t room) {
  fits(count, room);
  return wcsnrtombs(to, from, wide, count, state);
}
size_t __wcrtomb_chk(char *to, wchar_t what, mbstate_t *state, size_t room) {
  fits(MB_CUR_MAX, room);
  return wcrtomb(to, what, state);
}
int __wctomb_chk(char *to, wchar_t what, size_t room) {
  fits(MB_CUR_MAX, room);
  return wctomb(to, what);
}

int __vswprintf_chk(wchar_t *to, size_t count, int flag, size_t room, const wchar_t *format, va_list list) {
  (void)flag;
  fits(count, room);
  return vswprintf(to, count, format, list);
}
int __swprintf_chk(wchar_t *to, size_t count, int flag, size_t room, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  int result = __vswprintf_chk(to, count, flag, room, format, list);
  va_end(list);
  return result;
}
int __vfwprintf_chk(FILE *file, int flag, const wchar_t *format, va_list list) {
  (void)flag;
  return vfwprintf(file, format, list);
}
int __fwprintf_chk(FILE *file, int flag, const wchar_t *format, ...) {
  (void)flag;
  va_list list;
  va_start(list, format);
  int result = vfwprintf(file, format, list);
  va_end(list);
  return result;
}
int __vwprintf_chk(int flag, const wchar_t *format, va_list list) {
  (void)flag;
  return vfwprintf(stdout, format, list);
}
int __wprintf_chk(int flag, const wchar_t *format, ...) {
  (void)flag;
  va_list list;
  va_start(list, format);
  int result = vfwprintf(stdout, format, list);
  va_end(list);
  return result;
}

wchar_t *__fgetws_chk(wchar_t *to, size_t room, int count, FILE *file) {
  if (count > 0)
    fits((size_t)count, room);
  return fgetws(to, count, file);
}
wchar_t *__fgetws_unlocked_chk(wchar_t *to, size_t room, int count, FILE *file) {
  return __fgetws_chk(to, room, count, file);
}
