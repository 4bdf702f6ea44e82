// run: --cc-flags="-g -fsanitize=unreachable"
int main(void) {
  volatile int x = 1;
  if (x)
    __builtin_unreachable(); //~ unreachable
  return 0;
}
