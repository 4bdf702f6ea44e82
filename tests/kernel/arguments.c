// run: --sym-args 0 2 2 --sym-arg 1
// args: fixed
// KLEE's options for symbolic arguments: their number and their bytes.
#include <string.h>

int main(int argc, char **argv) {
  if (strcmp(argv[1], "fixed") != 0 || argv[argc] != 0)
    return 9;
  if (argc == 5 && strcmp(argv[3], "ab") == 0)
    return 1;
  return argc == 3 ? strlen(argv[2]) + 2 : 0;
}
//~ exits: 0 1 2 3
//~ test: n_args=0
//~ test: n_args=2 arg01="ab"
