static volatile int sink;
static int deeper(int n) {
  sink = n;
  return deeper(n + 1) + 1;
}
int main(void) { return deeper(0); }
//~ error: stack-overflow
