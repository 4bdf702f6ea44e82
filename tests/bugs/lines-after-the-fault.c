/* What comes after a fault is not covered; what left no operation of its own is. */
int main(void) {
  volatile int *p = 0;
  volatile int z = 1;
  z = *p; //~ null-pointer
  z = 3;
  return 0;
}
//~ covered: 3/5
