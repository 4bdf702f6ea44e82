// Reads and writes that begin in one chunk and end in the next.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split={8,16} --split-threshold=8
#include <klee/klee.h>
#include <string.h>
static unsigned char bytes[40];
int main(void) {
  for (int b = 0; b < 40; b++)
    bytes[b] = b;
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i <= 36);
  klee_assume(j <= 32);
  unsigned word;
  memcpy(&word, bytes + i, sizeof word);
  if (word != i * 0x01010101u + 0x03020100u)
    return 99;
  unsigned long long wide = 0xfffefdfcfbfaf9f8;
  memcpy(bytes + j, &wide, sizeof wide);
  for (int b = 0; b < 40; b++) {
    unsigned at = b - j;
    unsigned char expected = at < 8 ? 0xf8 + at : b;
    if (bytes[b] != expected)
      return 98;
  }
  memcpy(&word, bytes + i, sizeof word);
  if (word == 0xfffefdfcu)
    return i == j + 4 ? 1 : 97;
  if (word == 0xf9f80706u)
    return i == 6 && j == 8 ? 2 : 96;
  return 0;
}
//~ exits: 0 1 2
//~ test: i=6 j=8
