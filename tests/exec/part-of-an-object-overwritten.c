#include <klee/klee.h>
// What is written afterwards is concrete again; the bytes beside it stay symbolic.
struct record {
  int id;
  char tag;
};
int main(void) {
  struct record r;
  klee_make_symbolic(&r, sizeof r, "r");
  r.id = 5;
  if (r.tag == 't')
    return r.id;
  return 0;
}
//~ exits: 0*1 5*1
