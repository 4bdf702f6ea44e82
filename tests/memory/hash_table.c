// The motivating example of "Relocatable Addressing Model for Symbolic Execution", made small: a lookup of a symbolic key
// leads into the buckets, and from there to one of the nodes.
// run: --memory={auto,merge,flat,segmented,dynamic}
// run: --memory=fork
// run: --memory={auto,fork,merge,dynamic} --split=64 --split-threshold=100
#include <klee/klee.h>
#include <stdlib.h>
struct node {
  unsigned key, data;
  struct node *next;
};
struct table {
  struct node **buckets;
  unsigned size;
};
static unsigned hash(unsigned key) { return key * 7 + 3; }
static struct node *lookup(struct table *table, unsigned key) {
  struct node *node = table->buckets[hash(key) % table->size];
  while (node && node->key != key)
    node = node->next;
  return node;
}
static void insert(struct table *table, unsigned key, unsigned data) {
  struct node *node = calloc(1, sizeof *node), **bucket = &table->buckets[hash(key) % table->size];
  node->key = key;
  node->data = data;
  node->next = *bucket;
  *bucket = node;
}
int main(void) {
  struct table tables[2];
  for (unsigned t = 0; t < 2; t++) {
    tables[t] = (struct table){calloc(16, sizeof(struct node *)), 16};
    for (unsigned k = 0; k < 5; k++)
      insert(&tables[t], k * 8, 100 * t + k);
  }
  unsigned char key;
  klee_make_symbolic(&key, sizeof key, "key");
  struct node *found = lookup(&tables[0], key);
  if (!found)
    return key % 8 || key > 32 ? 0 : 99;
  if (found->data == 3)
    return key == 24 ? 1 : 98;
  found->data += 50;
  return tables[0].buckets[hash(8) % 16]->data >= 100 ? 97 : found->data == key / 8 + 50 ? 2 : 96;
}
//~ exits: 0 1 2
//~ test: key=24
