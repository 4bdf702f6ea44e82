// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
struct node { const char *name; struct node *next; int (*f)(int); };
static int twice(int x) { return 2 * x; }
static struct node nodes[2] = {{"first", &nodes[1], twice}, {"second" + 3, nodes, 0}};
static int numbers[4] = {1, 2, 3, 4};
static int *const middle = &numbers[2];
static long distance = (long)sizeof nodes;
extern int tentative;
int tentative;
static const char *const words[] = {"alpha", "beta", 0};
int main(void) {
  struct node *volatile n = nodes;
  assert(n->next->next == n && n->name[0] == 'f' && n->next->name[0] == 'o' && n->f(4) == 8);
  assert(middle[1] == 4 && middle[-2] == 1 && distance == 48 && tentative == 0);
  int count = 0;
  while (words[count])
    count++;
  assert(count == 2 && words[1][3] == 'a');
  return 0;
}
//~ paths: 1
