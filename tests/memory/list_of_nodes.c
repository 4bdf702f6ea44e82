// A node of a list chosen by an input, and what it points to.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
#include <klee/klee.h>
#include <stdlib.h>
struct node {
  struct node *next;
  int key;
  short values[3];
};
int main(void) {
  struct node *nodes[4], *head = NULL;
  for (int n = 0; n < 4; n++) {
    struct node *fresh = calloc(1, sizeof *fresh);
    fresh->next = head;
    fresh->key = n;
    fresh->values[n % 3] = 10 + n;
    head = nodes[n] = fresh;
  }
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 4);
  klee_assume(j < 3);
  struct node *chosen = nodes[i];
  if (chosen->key != i)
    return 99;
  chosen->values[j] += 100;
  struct node *after = chosen->next;
  if (!after)
    return i == 0 ? 1 : 98;
  if (after->key != i - 1)
    return 97;
  if (after->values[j] == 12)
    return i == 3 && j == 2 ? 2 : 96;
  chosen->next = after->next;
  int count = 0;
  for (struct node *at = head; at; at = at->next)
    count += at->key;
  return count == 6 - (i - 1) ? 0 : 95;
}
//~ exits: 0 1 2
//~ test: i=3 j=2
