// run: --cc-flags="-g -fsanitize=bounds"
// The row is left but not the matrix: only the sanitizer knows that this is wrong.
static int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
int main(void) {
  volatile int column = 4;
  return grid[0][column]; //~ out-of-bounds
}
