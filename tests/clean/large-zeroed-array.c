static unsigned char field[1 << 20];
int main(void) {
  unsigned long total = 0;
  for (unsigned i = 0; i < sizeof field; i += 4096)
    total += ++field[i];
  return total == 256 ? 0 : 1;
}
//~ exits: 0
