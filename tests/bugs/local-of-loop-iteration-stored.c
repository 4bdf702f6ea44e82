static int *kept;
static void store(int *p) { kept = p; }
static void frame(int n) {
  int local = n;
  store(&local);
}
int main(void) {
  frame(1);
  frame(2);
  *kept = 3; //~ use-after-free: write of 4 bytes to local (4 bytes) of frame, which has returned
  return 0;
}
