#include <assert.h>
#include <klee/klee.h>
union view {
  unsigned word;
  unsigned char bytes[4];
  unsigned short halves[2];
};
int main(void) {
  union view v;
  klee_make_symbolic(&v.word, sizeof v.word, "v");
  assert(v.halves[1] == (v.bytes[2] | v.bytes[3] << 8));
  v.bytes[0] = 7;
  assert((v.word & 0xff) == 7);
  return 0;
}
//~ paths: 1
