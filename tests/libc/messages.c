#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  unsigned sum = 0;
  for (int i = -1; i < 140; i++)
    for (const char *text = strerror(i); *text; text++)
      sum = sum * 31 + (unsigned char)*text;
  for (int i = 0; i < 66; i++)
    for (const char *text = strsignal(i); *text; text++)
      sum = sum * 31 + (unsigned char)*text;
  errno = ERANGE;
  perror("me");
  fprintf(stderr, "%s %s %u\n", strerror(ENOMEM), strerrorname_np(EILSEQ), sum);
  return 0;
}
//~ output: me: Numerical result out of range\nCannot allocate memory EILSEQ 1985598591\n
//~ exits: 0
