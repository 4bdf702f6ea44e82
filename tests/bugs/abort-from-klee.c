#include <klee/klee.h>
int main(void) {
  klee_abort(); //~ abort
}
