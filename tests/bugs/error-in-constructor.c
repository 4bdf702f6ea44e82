static int table[2];
static volatile int index = 2;
__attribute__((constructor)) static void fill(void) {
  table[index] = 1; //~ out-of-bounds: of table (8 bytes)
}
int main(void) { return 0; }
