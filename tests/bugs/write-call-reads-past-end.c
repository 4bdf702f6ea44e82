#include <unistd.h>
int main(void) {
  char text[5] = {'h', 'e', 'l', 'l', 'o'};
  write(1, text, 6); //~ out-of-bounds: 1 past the end of text (5 bytes)
  return 0;
}
