#include <stdlib.h>
struct node {
  struct node *next;
};
int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = list;
    list = n;
  }
  for (struct node *n = list; n; n = n->next) //~ use-after-free: read of 8 bytes from block from malloc at list-freed-while-walked.c:8 (8 bytes), freed at list-freed-while-walked.c:13
    free(n);
  return 0;
}
