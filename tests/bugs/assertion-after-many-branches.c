#include <assert.h>
#include <klee/klee.h>
int main(void) {
  unsigned char b[4];
  klee_make_symbolic(b, sizeof b, "b");
  int score = 0;
  for (int i = 0; i < 4; i++)
    if (b[i] == "bug!"[i])
      score++;
  assert(score < 4); //~ assertion: assertion failed: score < 4
  return 0;
}
//~ test: b="bug!"
//~ tests: 16
