int main(void) {
  int *volatile p = 0;
  return *p; //~ null-pointer: read of 4 bytes through a null pointer
}
