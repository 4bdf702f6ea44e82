int main(void) {
  char buf[4];
  buf[4] = 0; //~ out-of-bounds: write of 1 byte, 1 past the end of buf (4 bytes)
  return 0;
}
