/* The structures of glibc's <argp.h>, which musl does not have, and what its parser and its help share. */
#include <errno.h>
#include <stdio.h>

enum {
  OPTION_ARG_OPTIONAL = 1,
  OPTION_HIDDEN = 2,
  OPTION_ALIAS = 4,
  OPTION_DOC = 8,
  OPTION_NO_USAGE = 16,

  ARGP_KEY_ARG = 0,
  ARGP_KEY_END = 0x1000001,
  ARGP_KEY_NO_ARGS,
  ARGP_KEY_INIT,
  ARGP_KEY_SUCCESS,
  ARGP_KEY_ERROR,
  ARGP_KEY_ARGS,
  ARGP_KEY_FINI,

  ARGP_KEY_HELP_PRE_DOC = 0x2000001,
  ARGP_KEY_HELP_POST_DOC,
  ARGP_KEY_HELP_HEADER,
  ARGP_KEY_HELP_EXTRA,
  ARGP_KEY_HELP_DUP_ARGS_NOTE,
  ARGP_KEY_HELP_ARGS_DOC,

  ARGP_ERR_UNKNOWN = E2BIG,

  ARGP_PARSE_ARGV0 = 1,
  ARGP_NO_ERRS = 2,
  ARGP_NO_ARGS = 4,
  ARGP_IN_ORDER = 8,
  ARGP_NO_HELP = 16,
  ARGP_NO_EXIT = 32,
  ARGP_LONG_ONLY = 64,

  ARGP_HELP_USAGE = 1,
  ARGP_HELP_SHORT_USAGE = 2,
  ARGP_HELP_SEE = 4,
  ARGP_HELP_LONG = 8,
  ARGP_HELP_PRE_DOC = 16,
  ARGP_HELP_POST_DOC = 32,
  ARGP_HELP_DOC = ARGP_HELP_PRE_DOC | ARGP_HELP_POST_DOC,
  ARGP_HELP_BUG_ADDR = 64,
  ARGP_HELP_LONG_ONLY = 128,
  ARGP_HELP_EXIT_ERR = 256,
  ARGP_HELP_EXIT_OK = 512,
  ARGP_HELP_STD_ERR = ARGP_HELP_SEE | ARGP_HELP_EXIT_ERR,
  ARGP_HELP_STD_USAGE = ARGP_HELP_SHORT_USAGE | ARGP_HELP_SEE | ARGP_HELP_EXIT_ERR,
  ARGP_HELP_STD_HELP =
      ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_EXIT_OK | ARGP_HELP_DOC | ARGP_HELP_BUG_ADDR,
};

struct argp_option {
  const char *name;
  int key;
  const char *arg;
  int flags;
  const char *doc;
  int group;
};

struct argp_state;
typedef int (*argp_parser_t)(int key, char *argument, struct argp_state *state);

struct argp {
  const struct argp_option *options;
  argp_parser_t parser;
  const char *args_doc;
  const char *doc;
  const struct argp_child *children;
  char *(*help_filter)(int key, const char *text, void *input);
  const char *argp_domain;
};

struct argp_child {
  const struct argp *argp;
  int flags;
  const char *header;
  int group;
};

struct argp_state {
  const struct argp *root_argp;
  int argc;
  char **argv;
  int next;
  unsigned flags;
  unsigned arg_num;
  int quoted;
  void *input;
  void **child_inputs;
  void *hook;
  char *name;
  FILE *err_stream;
  FILE *out_stream;
  void *pstate;
};

extern const char *argp_program_version;
extern const char *argp_program_bug_address;
extern void (*argp_program_version_hook)(FILE *, struct argp_state *);
extern int argp_err_exit_status;

int _option_is_short(const struct argp_option *);
int _option_is_end(const struct argp_option *);
void *_argp_input(const struct argp *, const struct argp_state *);
void argp_help(const struct argp *, FILE *, unsigned flags, char *name);
void argp_state_help(const struct argp_state *, FILE *, unsigned flags);
void argp_error(const struct argp_state *, const char *format, ...);
