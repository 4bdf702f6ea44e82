#include <klee/klee.h>
#include <string.h>
// A length from the message is trusted: only lengths above 3 leave the payload.
static int parse(const unsigned char *message, unsigned size) {
  unsigned char payload[3];
  if (size < 2 || message[0] != 0x7e)
    return -1;
  unsigned length = message[1];
  if (length > size - 2)
    return -2;
  for (unsigned i = 0; i < length; i++)
    payload[i] = message[2 + i]; //~ out-of-bounds: write of 1 byte, 1 past the end of payload (3 bytes)
  return payload[0] == 'q';
}
int main(void) {
  unsigned char message[6];
  klee_make_symbolic(message, sizeof message, "message");
  parse(message, sizeof message);
  return 0;
}
//~ test: message="~\x04"
