void klee_warning(const char *s) { (void)s; }
int main(void) {
  klee_warning("hello");
  volatile int x = 1;
  x = 2;
  return x - 2;
}
//~ covered: 4/5
//~ replay: no, it defines an intrinsic that the native twin defines too
