// run: --cc-flags="-g -fsanitize=shift"
int main(void) {
  volatile int amount = 33;
  return 1 << amount; //~ overshift
}
