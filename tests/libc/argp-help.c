/* Help laid out as glibc lays it out. */
#include <argp.h>
static struct argp_option options[] = {
    {"verbose", 'v', 0, 0, "Say more, in words so many that they do not fit on what is left of one line", 0},
    {"output", 'o', "FILE", 0, "Write to FILE", 0},
    {"number", 'n', "N", OPTION_ARG_OPTIONAL, "A number", 0},
    {"count", 'c', 0, OPTION_ALIAS, 0, 0},
    {0, 0, 0, 0, "Other options:", 2},
    {"an-option-with-a-long-name", 'q', 0, 0, "Say nothing", 0},
    {0, 'z', "SIZE", 0, "Only short", 0},
    {0},
};
static struct argp argp = {options, 0, "FIRST\nSECOND THIRD", "What it does.\vWhat comes after."};
int main(void) {
  argp_program_bug_address = "nobody";
  argp_help(&argp, stdout, ARGP_HELP_STD_HELP, "prog");
  argp_help(&argp, stdout, ARGP_HELP_USAGE, "prog");
  return 0;
}
//~ output: Usage: prog [OPTION...] FIRST\n  or:  prog [OPTION...] SECOND THIRD\nWhat it does.\n\n  -n, -c, --number[=N], --count[=N]\n                             A number\n  -o, --output=FILE          Write to FILE\n  -v, --verbose              Say more, in words so many that they do not fit on\n                             what is left of one line\n\n Other options:\n  -q, --an-option-with-a-long-name\n                             Say nothing\n  -z SIZE                    Only short\n\nMandatory or optional arguments to long options are also mandatory or optional\nfor any corresponding short options.\n\nWhat comes after.\n\nReport bugs to nobody.\nUsage: prog [-vq] [-n[N]] [-c[N]] [-o FILE] [-z SIZE] [--number[=N]]\n            [--count[=N]] [--output=FILE] [--verbose]\n            [--an-option-with-a-long-name] FIRST\n  or:  prog [OPTION...] SECOND THIRD\n
//~ exits: 0
