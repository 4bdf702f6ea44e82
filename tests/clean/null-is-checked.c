#include <klee/klee.h>
#include <stddef.h>
static int keys[3] = {10, 20, 30};
static int *lookup(int key) {
  for (int i = 0; i < 3; i++)
    if (keys[i] == key)
      return &keys[i];
  return NULL;
}
int main(void) {
  int key;
  klee_make_symbolic(&key, sizeof key, "key");
  int *found = lookup(key);
  return found ? *found / 10 : 9;
}
//~ paths: 4
//~ exits: 1*1 2*1 3*1 9*1
