const int limit[2] = {1, 2};
int main(void) {
  int *p = (int *)limit;
  p[1] = 3; //~ read-only-write: write of 4 bytes to constant limit (8 bytes)
  return 0;
}
