static char code[16];
int main(void) {
  int (*f)(void) = (int (*)(void))(void *)code;
  return f(); //~ invalid-call: call through a pointer to no function
}
