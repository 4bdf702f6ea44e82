// The default of SIGABRT is an error at the line that raised it.
#include <signal.h>

int main(void) {
  raise(SIGABRT); //~ abort: SIGABRT
  return 0;
}
