static int *escape(void) {
  int x = 5;
  int *p = &x;
  return p;
}
int main(void) {
  int *p = escape();
  return *p; //~ use-after-free: read of 4 bytes from x (4 bytes) of escape, which has returned
}
