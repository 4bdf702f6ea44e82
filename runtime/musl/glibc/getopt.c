/* getopt and kin with glibc's wording: musl's parse in silence, and what they refused is told here. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <string.h>

struct candidates {
  const struct option *only;
  int count;
};

/* The long options that a name, up to an equals sign, may mean. */
static struct candidates matching(const char *name, const struct option *longs) {
  struct candidates found = {0, 0};
  size_t length = strcspn(name, "=");
  for (; longs && longs->name; longs++)
    if (!strncmp(longs->name, name, length)) {
      if (strlen(longs->name) == length)
        return (struct candidates){longs, 1};
      found.only = longs;
      found.count++;
    }
  return found;
}

static void complain_about_long(const char *program, const char *dashes, const char *name, const struct option *longs,
                                struct candidates found) {
  size_t length = strcspn(name, "=");
  if (found.count == 0)
    fprintf(stderr, "%s: unrecognized option '%s%s'\n", program, dashes, name);
  else if (found.count == 1)
    fprintf(stderr,
            found.only->has_arg == no_argument ? "%s: option '%s%s' doesn't allow an argument\n"
                                               : "%s: option '%s%s' requires an argument\n",
            program, dashes, found.only->name);
  else {
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", program, dashes, name);
    for (; longs->name; longs++)
      if (!strncmp(longs->name, name, length))
        fprintf(stderr, " '%s%s'", dashes, longs->name);
    putc('\n', stderr);
  }
}

static void complain(char *const *argv, const char *shorts, const struct option *longs, int single) {
  const char *word = optind > 0 ? argv[optind - 1] : 0;
  size_t dashes = word && word[0] == '-' ? (word[1] == '-' ? 2 : single ? 1 : 0) : 0;
  if (longs && dashes) {
    struct candidates found = matching(word + dashes, longs);
    if (optopt == 0 || (found.count == 1 && found.only->val == optopt)) {
      complain_about_long(argv[0], dashes == 2 ? "--" : "-", word + dashes, longs, found);
      return;
    }
  }
  const char *at = optopt == ':' ? 0 : strchr(shorts, optopt);
  fprintf(stderr, at && at[1] == ':' ? "%s: option requires an argument -- '%c'\n" : "%s: invalid option -- '%c'\n",
          argv[0], optopt);
}

/* musl counts a missing argument as one that it has passed. */
static int tell(int result, int tells, int argc, char *const *argv, const char *shorts, const struct option *longs,
                int single) {
  opterr = tells;
  if (optind > argc)
    optind = argc;
  int is_valid = optopt == '?' && strchr(shorts, '?');
  const char *first = shorts + (*shorts == '+' || *shorts == '-');
  if (result == '?' && !is_valid && tells && *first != ':')
    complain(argv, shorts, longs, single);
  return result;
}

int __glibc_getopt(int argc, char *const *argv, const char *shorts) {
  int tells = opterr;
  opterr = 0;
  return tell(getopt(argc, argv, shorts), tells, argc, argv, shorts, 0, 0);
}

int __glibc_getopt_long(int argc, char *const *argv, const char *shorts, const struct option *longs, int *index) {
  int tells = opterr;
  opterr = 0;
  return tell(getopt_long(argc, argv, shorts, longs, index), tells, argc, argv, shorts, longs, 0);
}

int __glibc_getopt_long_only(int argc, char *const *argv, const char *shorts, const struct option *longs, int *index) {
  int tells = opterr;
  opterr = 0;
  return tell(getopt_long_only(argc, argv, shorts, longs, index), tells, argc, argv, shorts, longs, 1);
}
