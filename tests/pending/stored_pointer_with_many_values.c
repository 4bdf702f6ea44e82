// A pointer that is read from a table may lead to each byte of a text. Under pending constraints it is not followed to
// each by itself, but to the first by its value and then to all others at once.
// run: --memory={fork,auto} --pending
#include <klee/klee.h>
int main(void) {
  static char text[32] = "each of these bytes is another.";
  static char *places[8];
  unsigned char i, j, n;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((i < 8) & (j < 8) & (n < 31));
  for (int at = 0; at < 8; at++)
    places[at] = text;
  places[i] = text + n;
  return *places[j] != 0;
}
//~ exits: 1*2
