int main(void) {
  int x = 1;
  __asm__ volatile("1: decl %0\n\tjnz 1b" : "+r"(x)); //~ unsupported: inline assembly "1: decl $0 jnz 1b"
  return x;
}
//~ replay: no, the native program goes on
