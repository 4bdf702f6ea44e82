#define _GNU_SOURCE
#include <obstack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define obstack_chunk_alloc malloc
#define obstack_chunk_free free
int main(void) {
  struct obstack stack;
  obstack_init(&stack);
  char *first = obstack_copy0(&stack, "first", 5);
  for (int i = 0; i < 3000; i++)
    obstack_grow(&stack, "0123456789", 10);
  obstack_1grow(&stack, 0);
  printf("%d ", obstack_object_size(&stack));
  char *big = obstack_finish(&stack);
  int *numbers = obstack_alloc(&stack, 4 * sizeof *numbers);
  numbers[3] = 42;
  obstack_printf(&stack, "%s-%d", "text", numbers[3]);
  obstack_1grow(&stack, 0);
  char *made = obstack_finish(&stack);
  printf("%s %zu %s %d\n", first, strlen(big), made, (int)((unsigned long)numbers % 16));
  obstack_free(&stack, big);
  char *again = obstack_copy0(&stack, "again", 5);
  printf("%s %s\n", first, again);
  obstack_free(&stack, 0);
  return 0;
}
//~ output: 30001 first 30000 text-42 0\nfirst again\n
//~ exits: 0
