#include <string.h>
int main(void) {
  char word[3] = {'a', 'b', 'c'};
  return (int)strlen(word); //~ out-of-bounds: 1 past the end of word (3 bytes)
}
