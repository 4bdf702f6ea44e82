// args: one -a --long=5 two --flag -bvalue --lo 6 -- -c three
#include <getopt.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int flag = 0, option, index = -1;
  struct option longs[] = {{"long", required_argument, 0, 'l'}, {"flag", no_argument, &flag, 7}, {0, 0, 0, 0}};
  while ((option = getopt_long(argc, argv, "ab:c", longs, &index)) != -1)
    printf("%c %s, ", option ? option : '0', optarg ? optarg : "-");
  printf("%d %d:", flag, optind);
  while (optind < argc)
    printf(" %s", argv[optind++]);
  puts("");
  return 0;
}
//~ output: a -, l 5, 0 -, b value, l 6, 7 8: one two -c three\n
//~ exits: 0
