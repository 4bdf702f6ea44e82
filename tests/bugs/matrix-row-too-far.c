static int grid[3][4];
int main(void) {
  volatile int row = 3;
  return grid[row][0]; //~ out-of-bounds: read of 4 bytes, 4 past the end of grid (48 bytes)
}
