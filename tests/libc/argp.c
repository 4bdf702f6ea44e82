// args: -v one --output=file -n 7 --verbose two -- -x
#include <argp.h>
static struct argp_option options[] = {
    {"verbose", 'v', 0, 0, 0, 0},
    {"output", 'o', "FILE", 0, 0, 0},
    {"number", 'n', "N", OPTION_ARG_OPTIONAL, 0, 0},
    {"count", 'c', 0, OPTION_ALIAS, 0, 0},
    {0},
};
static error_t parse(int key, char *arg, struct argp_state *state) {
  switch (key) {
  case 'v':
    printf("v ");
    return 0;
  case 'o':
    printf("o=%s ", arg);
    return 0;
  case 'n':
    printf("n=%s ", arg ? arg : "none");
    return 0;
  case ARGP_KEY_ARG:
    printf("%u:%s ", state->arg_num, arg);
    return 0;
  case ARGP_KEY_END:
    printf("end %u\n", state->arg_num);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}
static struct argp argp = {options, parse, "FIRST", 0};
int main(int argc, char **argv) {
  int status = argp_parse(&argp, argc, argv, 0, 0, 0);
  char *wrong[] = {"prog", "--nonsense", 0};
  int other = argp_parse(&argp, 2, wrong, ARGP_SILENT, 0, 0);
  return status * 2 + (other != 0);
}
//~ exits: 1
//~ output: v o=file n=none v 0:one 1:7 2:two 3:-x end 4\n
