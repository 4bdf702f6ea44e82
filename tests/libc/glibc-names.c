#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
int main(void) {
  char buffer[64];
  printf("[%s] %s ", basename("/a/b/"), basename("c/d"));
  printf("%s ", strerror_r(ENOENT, buffer, sizeof buffer));
  printf("%lu %d ", getauxval(AT_PAGESZ), getpagesize());
  printf("%d %d ", (int)__fpending(stdout) > 0, __fwriting(stdout) != 0);
  void *block = malloc(24);
  printf("%d ", malloc_usable_size(block) >= 24);
  free(block);
  printf("%d %d ", program_invocation_short_name[0] != 0, getenv("SURELY_NOT_SET") == 0);
  setenv("NEW", "value", 1);
  printf("%s %s\n", secure_getenv("NEW"), strsignal(2));
  return 0;
}
//~ output: [] d No such file or directory 4096 4096 1 1 1 1 1 value Interrupt\n
//~ exits: 0
