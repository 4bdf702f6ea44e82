static int add(int a, int b) { return a + b; }
int main(void) {
  int (*volatile f)(int) = (int (*)(int))(void *)add;
  return f(1); //~ invalid-call: call of add with 1 argument, which takes 2
}
//~ replay: no, the native callee takes whatever its register holds
