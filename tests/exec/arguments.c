// args: one two
#include <string.h>
int main(int argc, char **argv) {
  if (argc != 3 || argv[3] != 0)
    return 1;
  if (strcmp(argv[1], "one") || strcmp(argv[2], "two"))
    return 2;
  return 0;
}
//~ exits: 0
//~ replay: no, tests do not carry concrete arguments
