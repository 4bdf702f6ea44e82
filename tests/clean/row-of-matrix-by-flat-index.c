static int grid[3][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
int main(void) {
  int *flat = &grid[0][0];
  int total = 0;
  for (int i = 0; i < 12; i++)
    total += flat[i];
  return total == 66 ? 0 : 1;
}
//~ exits: 0
