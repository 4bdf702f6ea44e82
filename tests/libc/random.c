/* The same numbers as where the program runs natively. */
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  printf("%d %d ", rand(), rand());
  srand(42);
  printf("%d %ld ", rand(), random());
  srand48(7);
  printf("%ld %.6f\n", lrand48(), drand48());
  return 0;
}
//~ output: 1804289383 846930886 71876166 708592740 572184555 0.682035\n
//~ exits: 0
