// run: --check=leak
#include <stdlib.h>
struct node {
  struct node *next;
};
int main(void) {
  struct node *head = malloc(sizeof *head);
  head->next = malloc(sizeof *head);
  head->next->next = 0;
  free(head);
  return 0;
}
//~ error: leak: 8 bytes from malloc at leak-of-list-tail.c:8 are never freed
