// run: --check=uninitialised
#include <stdlib.h>
int main(void) {
  int x;
  int *p = &x;
  if (*p > 3) //~ uninitialised: branch on an uninitialised value
    return 1;
  return 0;
}
//~ replay: no, the native value is whatever the stack holds
