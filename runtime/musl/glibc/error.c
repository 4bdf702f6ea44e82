/* error() and what it counts. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *__glibc_strerror(int);

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void say(int status, int number, const char *file, unsigned line, const char *format, va_list list) {
  fflush(stdout);
  if (error_print_progname)
    error_print_progname();
  else
    fprintf(stderr, file ? "%s:" : "%s: ", program_invocation_name);
  if (file)
    fprintf(stderr, "%s:%u: ", file, line);
  vfprintf(stderr, format, list);
  error_message_count++;
  if (number)
    fprintf(stderr, ": %s", __glibc_strerror(number));
  putc('\n', stderr);
  fflush(stderr);
  if (status)
    exit(status);
}

void error(int status, int number, const char *format, ...) {
  va_list list;
  va_start(list, format);
  say(status, number, 0, 0, format, list);
  va_end(list);
}

/* One place is complained about once, if that is asked for. */
void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
  static const char *last_file;
  static unsigned last_line;
  if (error_one_per_line) {
    if (last_line == line && (last_file == file || (last_file && file && !strcmp(last_file, file))))
      return;
    last_file = file;
    last_line = line;
  }
  va_list list;
  va_start(list, format);
  say(status, number, file, line, format, list);
  va_end(list);
}
