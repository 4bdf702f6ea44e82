int main(void) {
  volatile unsigned long divisor = 0;
  return (int)(5ul / divisor); //~ division-by-zero: division by zero
}
