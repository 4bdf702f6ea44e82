#include <getopt.h>
#include <stdio.h>
static void parse(char **argv) {
  int count = 0, option;
  static const struct option longs[] = {{"long", required_argument, 0, 'l'}, {"flag", no_argument, 0, 'f'},
                                        {"flood", no_argument, 0, 2},        {"optional", optional_argument, 0, 'o'},
                                        {0, 0, 0, 0}};
  while (argv[count])
    count++;
  optind = 0;
  while ((option = getopt_long(count, argv, "ab:", longs, 0)) != -1)
    fprintf(stderr, "%d ", option);
  fprintf(stderr, "| %d\n", optind);
}
int main(void) {
  parse((char *[]){"me", "-axb", 0});
  parse((char *[]){"me", "one", "--none=5", "--flag=3", "-z", 0});
  parse((char *[]){"me", "--fl", "--lon", 0});
  parse((char *[]){"me", "--optional", "-b", 0});
  parse((char *[]){"me", "--", "-q", 0});
  opterr = 0;
  parse((char *[]){"me", "-q", 0});
  return 0;
}
//~ output: 97 me: invalid option -- 'x'\n63 me: option requires an argument -- 'b'\n63 | 2\nme: unrecognized option '--none=5'\n63 me: option '--flag' doesn't allow an argument\n63 me: invalid option -- 'z'\n63 | 4\nme: option '--fl' is ambiguous; possibilities: '--flag' '--flood'\n63 me: option '--long' requires an argument\n63 | 3\n111 me: option requires an argument -- 'b'\n63 | 3\n| 2\n63 | 2\n
//~ exits: 0
