/* argp: command lines described by tables, parsed with getopt_long. Help and complaints are in argp_help.c. */
#define _GNU_SOURCE
#include "argp.h"
#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

int __glibc_getopt_long(int, char *const *, const char *, const struct option *, int *);
int __glibc_getopt_long_only(int, char *const *, const char *, const struct option *, int *);

const char *argp_program_version weak;
const char *argp_program_bug_address weak;
void (*argp_program_version_hook)(FILE *, struct argp_state *) weak;
int argp_err_exit_status weak = EX_USAGE;

/* One argp of the tree, with what its parser is told. */
struct group {
  const struct argp *argp;
  struct group *parent;
  unsigned index_in_parent;
  unsigned args_processed;
  void *input;
  void **child_inputs;
  void *hook;
};

/* What getopt gives back for a long option, above all characters. */
enum { LONG = 0x100, IN_ORDER_ARGUMENT = 1, NOTHING_LEFT = -1 };

struct parsing {
  struct argp_state state;
  struct group *groups;
  size_t group_count;
  char *short_options;
  struct option *long_options;
  /* By the number of a long option. */
  const struct argp_option **long_sources;
  struct group **long_groups;
  size_t long_count;
  struct group *short_groups[UCHAR_MAX + 1];
  int try_getopt;
};

int _option_is_end(const struct argp_option *option) {
  return !option->key && !option->name && !option->doc && !option->group;
}
int _option_is_short(const struct argp_option *option) {
  return !(option->flags & OPTION_DOC) && option->key > 0 && option->key <= UCHAR_MAX && isprint(option->key);
}
int __option_is_end(const struct argp_option *option) { return _option_is_end(option); }
int __option_is_short(const struct argp_option *option) { return _option_is_short(option); }

enum { PROGRAM_NAME = -2, USAGE = -3 };

static const struct argp_option default_options[] = {
    {"help", '?', 0, 0, "Give this help list", -1},
    {"usage", USAGE, 0, 0, "Give a short usage message", 0},
    {"program-name", PROGRAM_NAME, "NAME", OPTION_HIDDEN, "Set the program name", 0},
    {0},
};
static int default_parser(int key, char *argument, struct argp_state *state) {
  switch (key) {
  case '?':
    argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
    return 0;
  case USAGE:
    argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
    return 0;
  case PROGRAM_NAME:
    state->name = argument;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}
static const struct argp default_argp = {default_options, default_parser};

static const struct argp_option version_options[] = {{"version", 'V', 0, 0, "Print program version", -1}, {0}};
static int version_parser(int key, char *argument, struct argp_state *state) {
  (void)argument;
  if (key != 'V')
    return ARGP_ERR_UNKNOWN;
  if (argp_program_version_hook)
    argp_program_version_hook(state->out_stream, state);
  else if (argp_program_version)
    fprintf(state->out_stream, "%s\n", argp_program_version);
  else
    argp_error(state, "%s", "(PROGRAM ERROR) No version known!?");
  if (!(state->flags & ARGP_NO_EXIT))
    exit(0);
  return 0;
}
static const struct argp version_argp = {version_options, version_parser};

static size_t children_of(const struct argp *argp) {
  size_t count = 0;
  if (argp->children)
    while (argp->children[count].argp)
      count++;
  return count;
}

static void measure(const struct argp *argp, size_t *groups, size_t *options) {
  ++*groups;
  if (argp->options)
    for (const struct argp_option *option = argp->options; !_option_is_end(option); option++)
      ++*options;
  for (size_t i = 0; i < children_of(argp); i++)
    measure(argp->children[i].argp, groups, options);
}

static void add_options(struct parsing *p, struct group *group) {
  const struct argp_option *real = group->argp->options;
  char *end = p->short_options + strlen(p->short_options);
  for (const struct argp_option *option = real; !_option_is_end(option); option++) {
    if (!(option->flags & OPTION_ALIAS))
      real = option;
    if (real->flags & OPTION_DOC)
      continue;
    int takes = !real->arg ? no_argument : real->flags & OPTION_ARG_OPTIONAL ? optional_argument : required_argument;
    if (_option_is_short(option) && !p->short_groups[option->key]) {
      p->short_groups[option->key] = group;
      *end++ = option->key;
      for (int i = 0; i < takes; i++)
        *end++ = ':';
      *end = 0;
    }
    int known = 0;
    for (size_t i = 0; option->name && i < p->long_count; i++)
      known |= !strcmp(p->long_options[i].name, option->name);
    if (option->name && !known) {
      p->long_options[p->long_count] = (struct option){option->name, takes, 0, LONG + p->long_count};
      p->long_sources[p->long_count] = option->key ? option : real;
      p->long_groups[p->long_count++] = group;
    }
  }
}

static void add_group(struct parsing *p, const struct argp *argp, struct group *parent, unsigned index) {
  struct group *group = &p->groups[p->group_count++];
  *group = (struct group){.argp = argp, .parent = parent, .index_in_parent = index};
  size_t children = children_of(argp);
  if (children)
    group->child_inputs = calloc(children, sizeof *group->child_inputs);
  if (argp->options)
    add_options(p, group);
  for (size_t i = 0; i < children; i++)
    add_group(p, argp->children[i].argp, group, i);
}

static int tell(struct parsing *p, struct group *group, int key, char *argument) {
  if (!group->argp->parser)
    return ARGP_ERR_UNKNOWN;
  p->state.hook = group->hook;
  p->state.input = group->input;
  p->state.child_inputs = group->child_inputs;
  p->state.arg_num = group->args_processed;
  int error = group->argp->parser(key, argument, &p->state);
  group->hook = p->state.hook;
  return error;
}

/* Tells all; unknown keys are nobody's fault. */
static int tell_all(struct parsing *p, int key, int backwards) {
  int error = 0;
  for (size_t i = 0; i < p->group_count && (!error || error == ARGP_ERR_UNKNOWN); i++)
    error = tell(p, &p->groups[backwards ? p->group_count - 1 - i : i], key, 0);
  return error == ARGP_ERR_UNKNOWN ? 0 : error;
}

static int start(struct parsing *p, void *input) {
  for (size_t i = 0; i < p->group_count; i++) {
    struct group *group = &p->groups[i];
    if (i == 0)
      group->input = input;
    if (group->parent)
      group->input = group->parent->child_inputs[group->index_in_parent];
    if (!group->argp->parser && group->child_inputs)
      group->child_inputs[0] = group->input;
    int error = tell(p, group, ARGP_KEY_INIT, 0);
    if (error && error != ARGP_ERR_UNKNOWN)
      return error;
  }
  return 0;
}

static int parse_argument(struct parsing *p, char *argument) {
  int index = --p->state.next, error = ARGP_ERR_UNKNOWN, all = 0;
  struct group *group = p->groups;
  for (; group < p->groups + p->group_count; group++) {
    p->state.next++;
    error = tell(p, group, ARGP_KEY_ARG, argument);
    if (error == ARGP_ERR_UNKNOWN) {
      p->state.next--;
      error = tell(p, group, ARGP_KEY_ARGS, 0);
      all = 1;
    }
    if (error != ARGP_ERR_UNKNOWN)
      break;
    all = 0;
  }
  if (error)
    return error;
  if (all && p->state.next == index)
    p->state.next = p->state.argc;
  if (p->state.next > index)
    group->args_processed += p->state.next - index;
  else
    p->try_getopt = 1;
  return 0;
}

static int next_option(struct parsing *p) {
  struct argp_state *state = &p->state;
  if (state->quoted && state->next < state->quoted)
    state->quoted = 0;
  if (!p->try_getopt || state->quoted)
    return NOTHING_LEFT;
  optind = state->next;
  opterr = !(state->flags & ARGP_NO_ERRS);
  int (*get)(int, char *const *, const char *, const struct option *, int *) =
      state->flags & ARGP_LONG_ONLY ? __glibc_getopt_long_only : __glibc_getopt_long;
  int found = get(state->argc, state->argv, p->short_options, p->long_options, 0);
  state->next = optind;
  if (found == NOTHING_LEFT) {
    p->try_getopt = 0;
    if (state->next > 1 && !strcmp(state->argv[state->next - 1], "--"))
      state->quoted = state->next;
  }
  return found;
}

/* An argument that nobody wants ends it, for the caller to see. */
static int parse_all(struct parsing *p) {
  struct argp_state *state = &p->state;
  for (;;) {
    int error, option = next_option(p);
    if (option == '?' && !(p->short_groups['?'] && optopt == '?'))
      return ARGP_ERR_UNKNOWN;
    if (option == NOTHING_LEFT) {
      if (state->next >= state->argc || state->flags & ARGP_NO_ARGS)
        return 0;
      error = parse_argument(p, state->argv[state->next++]);
    } else if (option == IN_ORDER_ARGUMENT)
      error = parse_argument(p, optarg);
    else if (option >= LONG)
      error = tell(p, p->long_groups[option - LONG], p->long_sources[option - LONG]->key, optarg);
    else
      error = tell(p, p->short_groups[option], option, optarg);
    if (error == ARGP_ERR_UNKNOWN && (option == NOTHING_LEFT || option == IN_ORDER_ARGUMENT))
      return 0;
    if (error)
      return error;
  }
}

static int finish(struct parsing *p, int error, int *end_index) {
  struct argp_state *state = &p->state;
  if (!error && state->next == state->argc) {
    for (size_t i = 0; i < p->group_count && (!error || error == ARGP_ERR_UNKNOWN); i++)
      if (p->groups[i].args_processed == 0)
        error = tell(p, &p->groups[i], ARGP_KEY_NO_ARGS, 0);
    if (!error || error == ARGP_ERR_UNKNOWN)
      error = tell_all(p, ARGP_KEY_END, 1);
    if (end_index)
      *end_index = state->next;
  } else if (!error && end_index)
    *end_index = state->next;
  else if (!error) {
    if (!(state->flags & ARGP_NO_ERRS) && state->err_stream)
      fprintf(state->err_stream, "%s: Too many arguments\n", state->name);
    error = ARGP_ERR_UNKNOWN;
  }
  if (error) {
    if (error == ARGP_ERR_UNKNOWN)
      argp_state_help(state, state->err_stream, ARGP_HELP_STD_ERR);
    tell_all(p, ARGP_KEY_ERROR, 0);
  } else
    error = tell_all(p, ARGP_KEY_SUCCESS, 1);
  tell_all(p, ARGP_KEY_FINI, 1);
  return error == ARGP_ERR_UNKNOWN ? EINVAL : error;
}

int argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *end_index, void *input) {
  struct argp_child both[4] = {{argp}};
  struct argp root = {.children = both};
  if (!(flags & ARGP_NO_HELP)) {
    struct argp_child *next = argp ? both + 1 : both;
    *next++ = (struct argp_child){&default_argp};
    if (argp_program_version || argp_program_version_hook)
      *next++ = (struct argp_child){&version_argp};
    argp = &root;
  }
  struct parsing p = {.try_getopt = 1};
  size_t groups = 0, options = 0;
  measure(argp, &groups, &options);
  p.groups = calloc(groups, sizeof *p.groups);
  p.short_options = calloc(3 * options + 2, 1);
  p.long_options = calloc(options + 1, sizeof *p.long_options);
  p.long_sources = calloc(options + 1, sizeof *p.long_sources);
  p.long_groups = calloc(options + 1, sizeof *p.long_groups);
  if (flags & ARGP_IN_ORDER)
    p.short_options[0] = '-';
  else if (flags & ARGP_NO_ARGS)
    p.short_options[0] = '+';
  add_group(&p, argp, 0, 0);

  if (flags & ARGP_NO_ERRS && flags & ARGP_PARSE_ARGV0)
    argv--, argc++;
  char *name = flags & ARGP_PARSE_ARGV0 || argc < 1 || !argv[0] ? program_invocation_short_name : argv[0];
  char *slash = strrchr(name, '/');
  p.state = (struct argp_state){
      .root_argp = argp,
      .argc = argc,
      .argv = argv,
      .flags = flags | (flags & ARGP_NO_ERRS ? ARGP_NO_EXIT : 0),
      .name = slash ? slash + 1 : name,
      .err_stream = stderr,
      .out_stream = stdout,
      .pstate = &p,
  };
  int error = start(&p, input);
  if (!error)
    error = parse_all(&p);
  error = finish(&p, error, end_index);
  for (size_t i = 0; i < p.group_count; i++)
    free(p.groups[i].child_inputs);
  free(p.groups);
  free(p.short_options);
  free(p.long_options);
  free(p.long_sources);
  free(p.long_groups);
  return error;
}

int __argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *end_index, void *input) {
  return argp_parse(argp, argc, argv, flags, end_index, input);
}

void *_argp_input(const struct argp *argp, const struct argp_state *state) {
  struct parsing *p = state ? state->pstate : 0;
  for (size_t i = 0; p && i < p->group_count; i++)
    if (p->groups[i].argp == argp)
      return p->groups[i].input;
  return 0;
}
void *__argp_input(const struct argp *argp, const struct argp_state *state) { return _argp_input(argp, state); }
