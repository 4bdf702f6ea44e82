/* What argp prints: usage, help and complaints, laid out as glibc lays them out. */
#define _GNU_SOURCE
#include "argp.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *__glibc_strerror(int);

enum { SHORT_COLUMN = 2, LONG_COLUMN = 6, DOC_COLUMN = 29, HEADER_COLUMN = 1, USAGE_INDENT = 12, MARGIN = 79 };

/* One line of the list of options: an option with its aliases, a header, or a text. */
struct entry {
  const struct argp_option *option;
  unsigned count;
  int group;
  const struct argp *argp;
  /* Which child it came from, so that a child's options stay together below its header. */
  const char *header;
  int cluster;
  int cluster_group;
  unsigned position;
};

struct listing {
  struct entry *entries;
  size_t count, room;
  int clusters;
  const struct argp_state *state;
};

struct page {
  FILE *to;
  unsigned column;
};

static void put(struct page *page, const char *text, size_t length) {
  fwrite(text, 1, length, page->to);
  page->column += length;
}

static void new_line(struct page *page) {
  putc('\n', page->to);
  page->column = 0;
}

static void indent(struct page *page, unsigned column) {
  while (page->column < column)
    put(page, " ", 1);
}

/* Words up to the margin, lines of the text kept, later lines indented. */
static void fill(struct page *page, const char *text, unsigned left) {
  while (*text) {
    const char *word = text;
    while (*word == ' ')
      word++;
    size_t spaces = word - text, length = strcspn(word, " \n");
    if (length && page->column > left && page->column + spaces + length > MARGIN) {
      new_line(page);
      spaces = 0;
    }
    if (length) {
      indent(page, left);
      put(page, text, page->column > left || spaces == 0 ? spaces : 0);
      put(page, word, length);
    }
    text = word + length;
    if (*text == '\n') {
      new_line(page);
      text++;
    }
  }
}

static void collect(struct listing *list, const struct argp *argp, const char *header, int cluster, int cluster_group) {
  int group = 0;
  for (const struct argp_option *o = argp->options; o && !_option_is_end(o); o++) {
    int is_header = !o->name && !o->key;
    group = o->group ? o->group : is_header ? group + 1 : group;
    if (o->flags & OPTION_ALIAS && list->count) {
      list->entries[list->count - 1].count++;
      continue;
    }
    if (list->count == list->room)
      list->entries = realloc(list->entries, (list->room = 2 * list->room + 16) * sizeof *list->entries);
    list->entries[list->count] =
        (struct entry){o, 1, group, argp, header, cluster, cluster_group, (unsigned)list->count};
    list->count++;
  }
  for (const struct argp_child *child = argp->children; child && child->argp; child++) {
    if (child->header || child->group)
      collect(list, child->argp, child->header, ++list->clusters, child->group);
    else
      collect(list, child->argp, header, cluster, cluster_group);
  }
}

/* Groups come in the order 0, 1, 2, ..., -2, -1. */
static int by_group(int a, int b) {
  if ((a < 0) != (b < 0))
    return a < 0 ? 1 : -1;
  return (a > b) - (a < b);
}

static const char *first_long(const struct entry *e) {
  for (unsigned i = 0; i < e->count; i++)
    if (e->option[i].name && !(e->option[i].flags & OPTION_HIDDEN))
      return e->option[i].name;
  return 0;
}

static int first_short(const struct entry *e) {
  for (unsigned i = 0; i < e->count; i++)
    if (_option_is_short(&e->option[i]) && !(e->option[i].flags & OPTION_HIDDEN))
      return e->option[i].key;
  return 0;
}

static int in_order(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  int order = by_group(a->cluster ? a->cluster_group : a->group, b->cluster ? b->cluster_group : b->group);
  if (order)
    return order;
  if (a->cluster != b->cluster)
    return a->cluster - b->cluster;
  if ((order = by_group(a->group, b->group)))
    return order;
  int a_header = !a->option->name && !a->option->key, b_header = !b->option->name && !b->option->key;
  if (a_header != b_header)
    return b_header - a_header;
  int a_doc = a->option->flags & OPTION_DOC, b_doc = b->option->flags & OPTION_DOC;
  if (a_doc != b_doc)
    return a_doc - b_doc;
  if (!a_header && !a_doc) {
    const char *a_long = first_long(a), *b_long = first_long(b);
    int a_short = first_short(a), b_short = first_short(b);
    if (!a_short && !b_short && a_long && b_long)
      order = strcasecmp(a_long, b_long);
    else {
      int a_key = a_short ? a_short : a_long ? *a_long : 0, b_key = b_short ? b_short : b_long ? *b_long : 0;
      order = tolower(a_key) - tolower(b_key);
      if (!order)
        order = b_key - a_key;
    }
    if (order)
      return order;
  }
  return a->position < b->position ? -1 : 1;
}

static struct listing listed(const struct argp *argp, const struct argp_state *state) {
  struct listing list = {.state = state};
  collect(&list, argp, 0, 0, 0);
  if (list.count)
    qsort(list.entries, list.count, sizeof *list.entries, in_order);
  return list;
}

/* A text, after the argp's own filter; to be freed if it is not the text that was given. */
static const char *filtered(const struct argp *argp, const struct argp_state *state, int key, const char *text) {
  return argp->help_filter ? argp->help_filter(key, text, _argp_input(argp, state)) : text;
}

static void put_argument(struct page *page, const struct argp_option *real, const char *required, const char *optional) {
  char text[256];
  if (real->arg) {
    int length = snprintf(text, sizeof text, real->flags & OPTION_ARG_OPTIONAL ? optional : required, real->arg);
    put(page, text, length < (int)sizeof text ? length : (int)sizeof text - 1);
  }
}

static void separate(struct page *page, unsigned column, int *first) {
  if (!*first)
    put(page, ", ", 2);
  *first = 0;
  indent(page, column);
}

static void put_entry(struct page *page, const struct entry *e, const struct listing *list, int *dropped) {
  const struct argp_option *real = e->option;
  int first = 1;
  if (!real->name && !real->key) {
    const char *text = filtered(e->argp, list->state, ARGP_KEY_HELP_HEADER, real->doc);
    if (text && *text) {
      fill(page, text, HEADER_COLUMN);
      new_line(page);
    }
    if (text != real->doc)
      free((char *)text);
    return;
  }
  int has_long = first_long(e) != 0;
  for (unsigned i = 0; i < e->count; i++)
    if (_option_is_short(&real[i]) && !(real[i].flags & OPTION_HIDDEN)) {
      separate(page, SHORT_COLUMN, &first);
      char text[] = {'-', real[i].key};
      put(page, text, 2);
      if (!has_long)
        put_argument(page, real, " %s", "[%s]");
      else if (real->arg)
        *dropped = 1;
    }
  for (unsigned i = 0; i < e->count; i++)
    if (real[i].name && !(real[i].flags & OPTION_HIDDEN)) {
      int is_text = real->flags & OPTION_DOC;
      separate(page, is_text ? SHORT_COLUMN : LONG_COLUMN, &first);
      if (!is_text)
        put(page, "--", 2);
      put(page, real[i].name, strlen(real[i].name));
      put_argument(page, real, "=%s", "[=%s]");
    }
  if (first)
    return;
  const char *text = filtered(e->argp, list->state, real->key, real->doc);
  if (text && *text) {
    if (page->column + 3 > DOC_COLUMN && page->column >= DOC_COLUMN)
      new_line(page);
    indent(page, DOC_COLUMN);
    fill(page, text, DOC_COLUMN);
  }
  new_line(page);
  if (text != real->doc)
    free((char *)text);
}

static void put_options(struct page *page, const struct argp *argp, const struct argp_state *state) {
  struct listing list = listed(argp, state);
  int dropped = 0, last_group = 0, last_cluster = 0;
  for (size_t i = 0; i < list.count; i++) {
    const struct entry *e = &list.entries[i];
    if (i && (e->group != last_group || e->cluster != last_cluster))
      new_line(page);
    if (e->cluster != last_cluster && e->header && *e->header) {
      fill(page, e->header, HEADER_COLUMN);
      new_line(page);
    }
    last_group = e->group;
    last_cluster = e->cluster;
    put_entry(page, e, &list, &dropped);
  }
  if (dropped) {
    new_line(page);
    fill(page,
         "Mandatory or optional arguments to long options are also mandatory or optional for any corresponding short "
         "options.",
         0);
    new_line(page);
  }
  free(list.entries);
}

static void put_word(struct page *page, const char *text) {
  if (page->column + strlen(text) + 1 >= MARGIN) {
    new_line(page);
    indent(page, USAGE_INDENT);
  } else
    put(page, " ", 1);
  put(page, text, strlen(text));
}

static void put_usage_options(struct page *page, const struct argp *argp, const struct argp_state *state) {
  struct listing list = listed(argp, state);
  char letters[260] = "[-", word[256];
  size_t count = 2;
  for (size_t i = 0; i < list.count; i++)
    for (unsigned k = 0; k < list.entries[i].count; k++) {
      const struct argp_option *real = list.entries[i].option, *o = real + k;
      if (_option_is_short(o) && !real->arg && !((o->flags | real->flags) & (OPTION_HIDDEN | OPTION_NO_USAGE)))
        letters[count++] = o->key;
    }
  if (count > 2) {
    letters[count] = ']';
    put_word(page, letters);
  }
  for (int names = 0; names < 2; names++)
    for (size_t i = 0; i < list.count; i++)
      for (unsigned k = 0; k < list.entries[i].count; k++) {
        const struct argp_option *real = list.entries[i].option, *o = real + k;
        int optional = real->flags & OPTION_ARG_OPTIONAL;
        if ((o->flags | real->flags) & (OPTION_HIDDEN | OPTION_NO_USAGE | OPTION_DOC))
          continue;
        if (names && o->name)
          snprintf(word, sizeof word, !real->arg ? "[--%s]" : optional ? "[--%s[=%s]]" : "[--%s=%s]", o->name, real->arg);
        else if (!names && _option_is_short(o) && real->arg)
          snprintf(word, sizeof word, optional ? "[-%c[%s]]" : "[-%c %s]", o->key, real->arg);
        else
          continue;
        put_word(page, word);
      }
  free(list.entries);
}

/* The description of arguments: an argp's own, then its children's. Alternatives are lines of it; true if there is a
   further one after the number asked for. */
static int put_arguments(struct page *page, const struct argp *argp, const struct argp_state *state, int alternative) {
  int more = 0;
  const char *text = filtered(argp, state, ARGP_KEY_HELP_ARGS_DOC, argp->args_doc);
  const char *line = text;
  for (int i = 0; line && i < alternative; i++) {
    const char *next = strchr(line, '\n');
    if (!next)
      break;
    line = next + 1;
  }
  if (line && *line) {
    size_t length = strcspn(line, "\n");
    more = line[length] != 0;
    if (page->column + length + 1 >= MARGIN) {
      new_line(page);
      indent(page, USAGE_INDENT);
    } else
      put(page, " ", 1);
    put(page, line, length);
  }
  if (text != argp->args_doc)
    free((char *)text);
  for (const struct argp_child *child = argp->children; child && child->argp; child++)
    more |= put_arguments(page, child->argp, state, alternative);
  return more;
}

/* The part before or after the vertical tab, of an argp and its children. True if something was printed. */
static int put_doc(struct page *page, const struct argp *argp, const struct argp_state *state, int after, int printed) {
  const char *tab = argp->doc ? strchr(argp->doc, '\v') : 0;
  const char *given = after ? (tab ? tab + 1 : 0) : argp->doc;
  char *part = given ? (tab && !after ? strndup(given, tab - given) : strdup(given)) : 0;
  if (part && !*part && !argp->help_filter) {
    free(part);
    part = 0;
  }
  const char *text = filtered(argp, state, after ? ARGP_KEY_HELP_POST_DOC : ARGP_KEY_HELP_PRE_DOC, part);
  if (text && *text) {
    if (after || printed)
      new_line(page);
    fill(page, text, 0);
    if (page->column)
      new_line(page);
    printed = 1;
  }
  if (text != part)
    free((char *)text);
  free(part);
  for (const struct argp_child *child = argp->children; child && child->argp; child++)
    printed |= put_doc(page, child->argp, state, after, printed);
  return printed;
}

static void help(const struct argp *argp, const struct argp_state *state, FILE *to, unsigned flags, const char *name) {
  if (!to)
    return;
  struct page page = {to, 0};
  if (flags & (ARGP_HELP_USAGE | ARGP_HELP_SHORT_USAGE)) {
    int more = 1;
    for (int alternative = 0; more; alternative++) {
      fprintf(to, alternative ? "  or:  %s" : "Usage: %s", name);
      page.column = 7 + strlen(name);
      if (flags & ARGP_HELP_SHORT_USAGE || alternative > 0) {
        struct listing list = listed(argp, state);
        if (list.count)
          put_word(&page, "[OPTION...]");
        free(list.entries);
      } else
        put_usage_options(&page, argp, state);
      more = put_arguments(&page, argp, state, alternative);
      new_line(&page);
    }
  }
  if (flags & ARGP_HELP_PRE_DOC)
    put_doc(&page, argp, state, 0, 0);
  if (flags & ARGP_HELP_SEE)
    fprintf(to, "Try `%s --help' or `%s --usage' for more information.\n", name, name);
  if (flags & ARGP_HELP_LONG) {
    if (flags & (ARGP_HELP_USAGE | ARGP_HELP_SHORT_USAGE | ARGP_HELP_PRE_DOC))
      new_line(&page);
    put_options(&page, argp, state);
  }
  if (flags & ARGP_HELP_POST_DOC)
    put_doc(&page, argp, state, 1, 0);
  if (flags & ARGP_HELP_BUG_ADDR && argp_program_bug_address)
    fprintf(to, "\nReport bugs to %s.\n", argp_program_bug_address);
}

void argp_help(const struct argp *argp, FILE *to, unsigned flags, char *name) { help(argp, 0, to, flags, name); }
void __argp_help(const struct argp *argp, FILE *to, unsigned flags, char *name) { help(argp, 0, to, flags, name); }

void argp_state_help(const struct argp_state *state, FILE *to, unsigned flags) {
  if ((state && state->flags & ARGP_NO_ERRS) || !to)
    return;
  help(state ? state->root_argp : 0, state, to, flags, state ? state->name : program_invocation_short_name);
  if (!state || !(state->flags & ARGP_NO_EXIT)) {
    if (flags & ARGP_HELP_EXIT_ERR)
      exit(argp_err_exit_status);
    if (flags & ARGP_HELP_EXIT_OK)
      exit(0);
  }
}
void __argp_state_help(const struct argp_state *state, FILE *to, unsigned flags) { argp_state_help(state, to, flags); }

void argp_usage(const struct argp_state *state) { argp_state_help(state, stderr, ARGP_HELP_STD_USAGE); }
void __argp_usage(const struct argp_state *state) { argp_usage(state); }

void argp_error(const struct argp_state *state, const char *format, ...) {
  if (state && state->flags & ARGP_NO_ERRS)
    return;
  FILE *to = state ? state->err_stream : stderr;
  if (!to)
    return;
  va_list list;
  va_start(list, format);
  fprintf(to, "%s: ", state ? state->name : program_invocation_short_name);
  vfprintf(to, format, list);
  putc('\n', to);
  va_end(list);
  argp_state_help(state, to, ARGP_HELP_STD_ERR);
}

void argp_failure(const struct argp_state *state, int status, int number, const char *format, ...) {
  if (state && state->flags & ARGP_NO_ERRS)
    return;
  FILE *to = state ? state->err_stream : stderr;
  if (!to)
    return;
  fputs(state ? state->name : program_invocation_short_name, to);
  if (format) {
    va_list list;
    va_start(list, format);
    fputs(": ", to);
    vfprintf(to, format, list);
    va_end(list);
  }
  if (number)
    fprintf(to, ": %s", __glibc_strerror(number));
  putc('\n', to);
  if (status && (!state || !(state->flags & ARGP_NO_EXIT)))
    exit(status);
}
