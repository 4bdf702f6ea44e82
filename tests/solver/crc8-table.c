#include <klee/klee.h>
static unsigned char table[256];
int main(void) {
  for (int i = 0; i < 256; i++) {
    unsigned char c = i;
    for (int k = 0; k < 8; k++)
      c = c & 0x80 ? c << 1 ^ 0x07 : c << 1;
    table[i] = c;
  }
  unsigned char in[2];
  klee_make_symbolic(in, sizeof in, "in");
  unsigned char crc = table[table[in[0]] ^ in[1]];
  if (in[0] == 'o')
    if (crc == 0x68)
      return 1;
  return 0;
}
//~ paths: 3
//~ test: in="os"
