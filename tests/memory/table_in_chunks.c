// A large table that paths come to afresh and write to at symbolic places, and many questions: from some time on `auto` tries
// to see it in chunks. Whatever it does, what is found stays right.
// run: --memory={auto,fork,merge}
// run: --memory={auto,fork,merge} --search=dfs --no-pending
// run: --memory={auto,fork} --split=512
#include <klee/klee.h>
#include <string.h>
struct entry { long key; int used; int count; char *name; short tail; };
static struct entry table[40];
static int n;
static struct entry *find(unsigned key) {
  struct entry *at = &table[key * 7 % 40];
  while (at->used && at->key != key)
    at = at == table + 39 ? table : at + 1;
  return at;
}
static void put(unsigned key) {
  struct entry *at = find(key);
  at->key = key;
  at->used = 1;
  at->count++;
}
int main(void) {
  unsigned char way, a, b;
  klee_make_symbolic(&way, sizeof way, "way");
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(way < 36);
  klee_assume(a < 40);
  klee_assume(b < 40);
  int i = 0;
  while (i != way)
    i++;
  table[3].tail = i;
  put(a);
  for (int j = 0; j < 100; j++)
    if (a == 7)
      n++;
  table[30].tail = 5;
  memcpy(&table[20].name, "abcdefgh", 8);
  put(b);
  if (find(a)->count == 2)
    return a == b ? 1 : 99;
  if (find(b)->key != b || find(a)->key != a || find(b)->count != 1)
    return 98;
  if (table[30].tail != 5 || table[3].tail != way || memcmp(&table[20].name, "abcdefgh", 8))
    return 97;
  return n > 0;
}
//~ exits: 0 1
