void klee_warning(const char *s) { (void)s; }
int main(void) {
  klee_warning("hello");
  volatile int x = 1;
  x = 2;
  return x - 2;
}
//~ covered: 2/3
