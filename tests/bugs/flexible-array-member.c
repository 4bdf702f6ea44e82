#include <stdlib.h>
struct packet {
  unsigned length;
  unsigned char data[];
};
int main(void) {
  struct packet *p = malloc(sizeof *p + 3);
  p->length = 3;
  for (unsigned i = 0; i <= p->length; i++)
    p->data[i] = 0; //~ out-of-bounds: write of 1 byte, 1 past the end of block from malloc at flexible-array-member.c:7 (7 bytes)
  free(p);
  return 0;
}
