// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
__attribute__((noinline)) static int triangle(int n) {
  int total = 0;
  for (int i = 1; i <= n; i++) {
    int row[i];
    for (int j = 0; j < i; j++)
      row[j] = j + 1;
    int grid[i][2];
    grid[i - 1][1] = row[i - 1];
    total += grid[i - 1][1] + (int)(sizeof row / sizeof *row);
  }
  return total;
}
int main(void) {
  volatile int n = 50;
  assert(triangle(n) == 2550);
  return 0;
}
//~ paths: 1
