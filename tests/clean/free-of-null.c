#include <stdlib.h>
int main(void) {
  free(NULL);
  char *p = realloc(NULL, 4);
  p[3] = 1;
  free(p);
  return 0;
}
//~ paths: 1
