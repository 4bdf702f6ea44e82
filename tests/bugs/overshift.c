int main(void) {
  volatile int amount = 40;
  return 1 << amount; //~ overshift: shift of a 32-bit value by 40
}
