#include <errno.h>
#include <error.h>
#include <stdio.h>
static void no_name(void) { fputs("me: ", stderr); }
int main(void) {
  error_print_progname = no_name;
  error(0, ENOENT, "cannot open %s", "x");
  error_at_line(0, 0, "file.c", 7, "odd");
  error_one_per_line = 1;
  error_at_line(0, 0, "file.c", 8, "first");
  error_at_line(0, 0, "file.c", 8, "second");
  fprintf(stderr, "%u ", error_message_count);
  error(3, 0, "the end");
}
//~ exits: 3
//~ output: me: cannot open x: No such file or directory\nme: file.c:7: odd\nme: file.c:8: first\n3 me: the end\n
