/* The functions that _FORTIFY_SOURCE puts in place of those of <stdio.h>, <syslog.h> and <obstack.h>. The flag asks for
   stricter checks of the format, which need to know where it lies; none are made. */
#define _GNU_SOURCE
#include "fortify.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <syslog.h>

/* Calls the function on a list of arguments with those of a variadic one. */
#define WITH_LIST(call)                                                                                                \
  va_list list;                                                                                                        \
  va_start(list, format);                                                                                              \
  int result = call;                                                                                                   \
  va_end(list);                                                                                                        \
  return result

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list list) {
  (void)flag;
  if (room > INT_MAX)
    return vsprintf(to, format, list);
  fits(1, room);
  int length = vsnprintf(to, room, format, list);
  if (length >= 0)
    fits((size_t)length + 1, room);
  return length;
}
int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
  WITH_LIST(__vsprintf_chk(to, flag, room, format, list));
}

int __vsnprintf_chk(char *to, size_t count, int flag, size_t room, const char *format, va_list list) {
  (void)flag;
  fits(count, room);
  return vsnprintf(to, count, format, list);
}
int __snprintf_chk(char *to, size_t count, int flag, size_t room, const char *format, ...) {
  WITH_LIST(__vsnprintf_chk(to, count, flag, room, format, list));
}

int __vfprintf_chk(FILE *file, int flag, const char *format, va_list list) {
  (void)flag;
  return vfprintf(file, format, list);
}
int __fprintf_chk(FILE *file, int flag, const char *format, ...) {
  (void)flag;
  WITH_LIST(vfprintf(file, format, list));
}
int __vprintf_chk(int flag, const char *format, va_list list) {
  (void)flag;
  return vfprintf(stdout, format, list);
}
int __printf_chk(int flag, const char *format, ...) {
  (void)flag;
  WITH_LIST(vfprintf(stdout, format, list));
}
int __vdprintf_chk(int file, int flag, const char *format, va_list list) {
  (void)flag;
  return vdprintf(file, format, list);
}
int __dprintf_chk(int file, int flag, const char *format, ...) {
  (void)flag;
  WITH_LIST(vdprintf(file, format, list));
}
int __vasprintf_chk(char **to, int flag, const char *format, va_list list) {
  (void)flag;
  return vasprintf(to, format, list);
}
int __asprintf_chk(char **to, int flag, const char *format, ...) {
  (void)flag;
  WITH_LIST(vasprintf(to, format, list));
}

struct obstack;
int obstack_vprintf(struct obstack *, const char *, va_list);
int __obstack_vprintf_chk(struct obstack *to, int flag, const char *format, va_list list) {
  (void)flag;
  return obstack_vprintf(to, format, list);
}
int __obstack_printf_chk(struct obstack *to, int flag, const char *format, ...) {
  (void)flag;
  WITH_LIST(obstack_vprintf(to, format, list));
}

void __vsyslog_chk(int priority, int flag, const char *format, va_list list) {
  (void)flag;
  vsyslog(priority, format, list);
}
void __syslog_chk(int priority, int flag, const char *format, ...) {
  va_list list;
  va_start(list, format);
  __vsyslog_chk(priority, flag, format, list);
  va_end(list);
}

char *__fgets_chk(char *restrict to, size_t room, int count, FILE *restrict file) {
  if (count > 0)
    fits((size_t)count, room);
  return fgets(to, count, file);
}
char *__fgets_unlocked_chk(char *restrict to, size_t room, int count, FILE *restrict file) {
  return __fgets_chk(to, room, count, file);
}

/* The rest of the line goes into nothing, so one byte too many is found before it is written. */
char *__gets_chk(char *to, size_t room) {
  size_t length = 0;
  int c;
  while ((c = getchar()) != EOF && c != '\n') {
    fits(length + 2, room);
    to[length++] = c;
  }
  if (c == EOF && (length == 0 || ferror(stdin)))
    return 0;
  to[length] = 0;
  return to;
}

size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t count, FILE *restrict file) {
  size_t bytes;
  if (__builtin_mul_overflow(size, count, &bytes))
    __chk_fail();
  fits(bytes, room);
  return fread(to, size, count, file);
}
size_t __fread_unlocked_chk(void *restrict to, size_t room, size_t size, size_t count, FILE *restrict file) {
  return __fread_chk(to, room, size, count, file);
}
