int main(void) {
  volatile unsigned long address = 0x1234560;
  int (*f)(void) = (int (*)(void))address;
  return f(); //~ invalid-call: call through a pointer to no function
}
