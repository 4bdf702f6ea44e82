static const char digits[] = "0123456789";
int main(void) {
  volatile int i = 11;
  return digits[i]; //~ out-of-bounds: read of 1 byte, 1 past the end of digits (11 bytes)
}
