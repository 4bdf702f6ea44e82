// run: --check=uninitialised
int main(void) {
  char table[256] = {0};
  unsigned char index[2];
  index[0] = 1;
  return table[index[1]]; //~ uninitialised: address from an uninitialised value
}
//~ replay: no, the native value is whatever the stack holds
