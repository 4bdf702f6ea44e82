#include <stdlib.h>
struct node {
  struct node *next;
  int value;
};
int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  a->next = b;
  b->next = 0;
  free(b);
  a->next->value = 3; //~ use-after-free: write of 4 bytes to block from malloc at freed-block-written-through-alias.c:7 (16 bytes)
  free(a);
  return 0;
}
