int main(void) {
  volatile int amount = -1;
  volatile unsigned value = 8;
  return (int)(value >> amount); //~ overshift: shift of a 32-bit value by
}
