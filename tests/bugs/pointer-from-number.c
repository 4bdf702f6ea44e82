int main(void) {
  volatile unsigned long address = 0x123456789000;
  return *(int *)address; //~ out-of-bounds: read of 4 bytes at 0x123456789000, where there is no object
}
