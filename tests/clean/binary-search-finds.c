#include <assert.h>
#include <klee/klee.h>
static const int sorted[7] = {-9, -4, 0, 3, 8, 15, 100};
int main(void) {
  int key;
  klee_make_symbolic(&key, sizeof key, "key");
  int low = 0, high = 6;
  while (low <= high) {
    int middle = (low + high) / 2;
    if (sorted[middle] == key) {
      assert(middle >= 0 && middle < 7);
      return 1;
    }
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle - 1;
  }
  for (int i = 0; i < 7; i++)
    assert(sorted[i] != key);
  return 0;
}
//~ paths: 15
//~ exits: 0*8 1*7
