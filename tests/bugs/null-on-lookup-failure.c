#include <klee/klee.h>
static int keys[3] = {10, 20, 30};
static int *lookup(int key) {
  for (int i = 0; i < 3; i++)
    if (keys[i] == key)
      return &keys[i];
  return 0;
}
int main(void) {
  int key;
  klee_make_symbolic(&key, sizeof key, "key");
  return *lookup(key) == 20; //~ null-pointer: read of 4 bytes through a null pointer
}
//~ exits: 0*2 1*1
