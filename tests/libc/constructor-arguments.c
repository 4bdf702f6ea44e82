/* Constructors are given what main is given. */
// args: one two
#include <string.h>
static int seen;
__attribute__((constructor)) static void early(int argc, char **argv, char **envp) {
  seen = argc == 3 && !strcmp(argv[2], "two") && envp != 0;
}
int main(int argc, char **argv, char **envp) { return seen + (argc == 3) * 2; }
//~ exits: 3
