// run: --check=signed-overflow
#include <klee/klee.h>
int main(void) {
  int width, height;
  klee_make_symbolic(&width, sizeof width, "width");
  klee_make_symbolic(&height, sizeof height, "height");
  if (width < 0 || height < 0 || width > 100000 || height > 100000)
    return 0;
  int area = width * height; //~ signed-overflow: multiplication overflows 32 bits
  return area < 0 ? 2 : 1;
}
//~ exits: 0 1
