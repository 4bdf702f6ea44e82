#include <klee/klee.h>
#include <stdlib.h>
/* Every text of two characters that atoi can be given. */
int main(void) {
  char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  text[2] = 0;
  int value = atoi(text);
  if (value == 42)
    return 1;
  if (value == -7)
    return 2;
  return 0;
}
//~ exits: 0 1 2
//~ test: text="42"
//~ test: text="-7"
