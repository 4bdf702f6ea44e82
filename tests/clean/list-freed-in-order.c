// run: --check=leak
#include <stdlib.h>
struct node {
  struct node *next;
  int value;
};
int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 5; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = list;
    n->value = i;
    list = n;
  }
  int total = 0;
  while (list) {
    struct node *next = list->next;
    total += list->value;
    free(list);
    list = next;
  }
  return total == 10 ? 0 : 1;
}
//~ paths: 1
//~ exits: 0
