#include <klee/klee.h>
int main(void) {
  klee_warning("mind the gap");
  klee_warning_once("said once");
  return 0;
}
//~ prints: mind the gap
//~ prints: said once
