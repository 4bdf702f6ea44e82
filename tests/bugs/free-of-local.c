#include <stdlib.h>
int main(void) {
  int x = 0;
  free(&x); //~ invalid-free: free of x (4 bytes), which is not from the heap
  return 0;
}
