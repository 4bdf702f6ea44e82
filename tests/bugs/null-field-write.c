struct pair {
  long first, second;
};
int main(void) {
  struct pair *volatile p = 0;
  p->second = 1; //~ null-pointer: write of 8 bytes through a null pointer
  return 0;
}
