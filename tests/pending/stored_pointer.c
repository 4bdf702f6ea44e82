// A pointer is read from a table that was written at a symbolic place. Of its values, two lie in one object: under pending
// constraints it is followed to the first of them by its value, and then by object.
// run: --memory={fork,merge,auto,flat,segmented,dynamic} --pending
// run: --memory={fork,merge,auto} --pending --search={dfs,random-path}
// run: --memory={fork,merge,auto} --no-pending
#include <klee/klee.h>
struct node {
  int key, value;
};
int main(void) {
  static struct node pair[2] = {{1, 10}, {2, 20}}, other = {3, 30};
  static struct node *slots[8];
  unsigned char i, j, k;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume((i < 8) & (j < 8) & (k < 8));
  for (int at = 0; at < 8; at++)
    slots[at] = &pair[0];
  slots[i] = &pair[1];
  slots[j] = &other;
  struct node *found = slots[k];
  if (found->key == 1)
    return found->value == 10 ? 1 : 100;
  if (found->key == 2)
    return found->value == 20 ? 2 : 100;
  return found->key == 3 && found->value == 30 ? 3 : 100;
}
//~ exits: 1*1 2*1 3*1
