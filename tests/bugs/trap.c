int main(void) {
  volatile int x = 1;
  if (x)
    __builtin_trap(); //~ abort: trap reached
  return 0;
}
