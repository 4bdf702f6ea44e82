int main(void) {
  int x = 1;
  __asm__ volatile("addl $2, %0" : "+r"(x)); //~ unsupported
  return x;
}
//~ replay: no, the native program goes on
