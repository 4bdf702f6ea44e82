/* glibc's names for checked printing, which clang's coverage runtime is compiled with and musl does not have. */
#include <stdarg.h>
#include <stdio.h>

int __fprintf_chk(FILE *file, int flag, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int written = vfprintf(file, format, arguments);
  va_end(arguments);
  return written;
}

int __snprintf_chk(char *to, size_t most, int flag, size_t room, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int written = vsnprintf(to, most < room ? most : room, format, arguments);
  va_end(arguments);
  return written;
}
