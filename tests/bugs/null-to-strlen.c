#include <string.h>
int main(void) {
  const char *volatile s = 0;
  return (int)strlen(s); //~ null-pointer: through a null pointer
}
