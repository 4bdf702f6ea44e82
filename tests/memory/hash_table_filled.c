// A node under a symbolic key goes into a hash table, at the head of whichever list it belongs to; the list of all nodes
// is threaded through it. A second symbolic key is then looked up.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
// run: --memory={auto,fork,merge,dynamic} --split=64 --split-threshold=100
#include <klee/klee.h>
#include <stdlib.h>
struct node {
  struct node *next, *previous;
  unsigned char key;
  int data;
};
struct bucket {
  unsigned count;
  struct node *chain;
};
static struct bucket table[8];
static struct node *first;
static struct node *lookup(unsigned char key) {
  struct bucket *bucket = &table[key % 8];
  struct node *node = bucket->chain;
  for (unsigned left = bucket->count; left > 0; left--, node = node->next)
    if (node->key == key)
      return node;
  return NULL;
}
static void insert(unsigned char key, int data) {
  struct node *node = calloc(1, sizeof *node);
  struct bucket *bucket = &table[key % 8];
  struct node *head = bucket->count ? bucket->chain : NULL;
  node->key = key;
  node->data = data;
  bucket->count++;
  bucket->chain = node;
  if (head) {
    node->next = head;
    node->previous = head->previous;
    if (head->previous)
      head->previous->next = node;
    else
      first = node;
    head->previous = node;
  } else {
    node->next = first;
    if (first)
      first->previous = node;
    first = node;
  }
}
int main(void) {
  unsigned char put, got;
  klee_make_symbolic(&put, sizeof put, "put");
  klee_make_symbolic(&got, sizeof got, "got");
  klee_assume(put < 24);
  klee_assume(got < 24);
  for (int k = 0; k < 6; k++)
    insert(k * 3, k);
  if (lookup(put))
    return put % 3 == 0 && put <= 15 ? 1 : 99;
  insert(put, 100);
  struct node *found = lookup(got);
  int length = 0, sum = 0;
  for (struct node *node = first; node; node = node->next) {
    if (node->next && node->next->previous != node)
      return 98;
    length++;
    sum += node->data;
  }
  if (length != 7 || sum != 115)
    return 97;
  if (!found)
    return got == put || (got % 3 == 0 && got <= 15) ? 96 : 0;
  if (found->data == 100)
    return got == put ? 2 : 95;
  if (found->data * 3 != got)
    return 94;
  while (first) {
    struct node *next = first->next;
    free(first);
    first = next;
  }
  return 3;
}
//~ exits: 0 1 2 3
