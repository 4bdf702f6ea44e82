/* concrete.c, loops and all, with its one printf done by write: a program without a libc can run it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned put(char *to, unsigned value, unsigned base, unsigned least) {
  char digits[32];
  unsigned n = 0;
  do
    digits[n++] = "0123456789abcdef"[value % base];
  while ((value /= base) || n < least);
  for (unsigned i = 0; i < n; i++)
    to[i] = digits[n - 1 - i];
  return n;
}

static void print_primes_and_crc(const char *format, unsigned primes, uint32_t crc) {
  (void)format;
  char line[64];
  unsigned n = put(line, primes, 10, 1);
  line[n++] = ' ';
  n += put(line + n, crc, 16, 8);
  line[n++] = '\n';
  write(1, line, n);
}

#define printf print_primes_and_crc
#include "concrete.c"
