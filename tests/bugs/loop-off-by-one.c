static int sum(const int *values, int count) {
  int total = 0;
  for (int i = 0; i <= count; i++)
    total += values[i]; //~ out-of-bounds: read of 4 bytes, 4 past the end of numbers (20 bytes)
  return total;
}
int main(void) {
  int numbers[5] = {1, 2, 3, 4, 5};
  return sum(numbers, 5);
}
