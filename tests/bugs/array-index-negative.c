int main(void) {
  int values[4] = {1, 2, 3, 4};
  int i = -2;
  return values[i]; //~ out-of-bounds: read of 4 bytes, 8 before the start of values (16 bytes)
}
