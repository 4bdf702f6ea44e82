#include <stdlib.h>
int counter[2];
int main(void) {
  free(counter); //~ invalid-free: free of counter (8 bytes), which is not from the heap
  return 0;
}
