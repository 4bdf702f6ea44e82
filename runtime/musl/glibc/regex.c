/* Regular expressions as glibc's <regex.h> declares them: its structures, and GNU's own functions, over musl's matcher.
   A text ends at its first zero byte. Of GNU's syntaxes there are two: POSIX's basic and extended ones. */
#define _GNU_SOURCE
#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* A `regex_t` of musl keeps what is compiled at the same place as `compiled`. */
struct glibc_pattern {
  void *buffer;
  void *compiled;
  size_t used;
  unsigned long syntax;
  char *fastmap;
  unsigned char *translate;
  size_t groups;
  unsigned can_be_null : 1, regs_allocated : 2, fastmap_accurate : 1, no_sub : 1, not_bol : 1, not_eol : 1,
      newline_anchor : 1;
};
_Static_assert(sizeof(struct glibc_pattern) == sizeof(regex_t), "both lie in the same place");

struct glibc_match {
  int start, end;
};

struct glibc_registers {
  unsigned count;
  int *start, *end;
};

enum {
  SYNTAX_NO_BK_PARENS = 1 << 13,
  SYNTAX_ICASE = 1 << 22,
  SYNTAX_NO_SUB = 1 << 25,
  STARTEND = 4,
  REGISTERS_UNALLOCATED = 0,
  REGISTERS_REALLOCATE = 1,
  REGISTERS_FIXED = 2,
  FEW = 16,
};

unsigned long re_syntax_options;

static int compile(struct glibc_pattern *to, const char *text, int flags) {
  regex_t made;
  int result = regcomp(&made, text, flags);
  to->compiled = result ? 0 : made.__opaque;
  to->groups = result ? 0 : made.re_nsub;
  return result;
}

static int execute(const struct glibc_pattern *pattern, const char *text, size_t count, regmatch_t *found, int flags) {
  regex_t made = {.re_nsub = pattern->groups, .__opaque = pattern->compiled};
  return regexec(&made, text, count, found, flags);
}

int __glibc_regcomp(struct glibc_pattern *restrict pattern, const char *restrict text, int flags) {
  *pattern = (struct glibc_pattern){.no_sub = (flags & REG_NOSUB) != 0, .newline_anchor = (flags & REG_NEWLINE) != 0};
  return compile(pattern, text, flags);
}

void __glibc_regfree(struct glibc_pattern *pattern) {
  regex_t made = {.re_nsub = pattern->groups, .__opaque = pattern->compiled};
  if (pattern->compiled)
    regfree(&made);
  pattern->compiled = 0;
  free(pattern->fastmap);
  pattern->fastmap = 0;
  free(pattern->translate);
  pattern->translate = 0;
}

/* With STARTEND the first match says which part of the text is meant. */
int __glibc_regexec(const struct glibc_pattern *restrict pattern, const char *restrict text, size_t count,
                    struct glibc_match *restrict matches, int flags) {
  regmatch_t few[FEW], *found = few;
  char *part = 0;
  int start = 0;
  if (pattern->no_sub)
    count = 0;
  if (count > FEW && !(found = calloc(count, sizeof *found)))
    return REG_ESPACE;
  if (flags & STARTEND) {
    start = matches[0].start;
    text = part = strndup(text + start, matches[0].end - start);
  }
  int result = text ? execute(pattern, text, count, found, flags & ~STARTEND) : REG_ESPACE;
  if (!result)
    for (size_t i = 0; i < count; i++)
      matches[i] = found[i].rm_so < 0 ? (struct glibc_match){-1, -1}
                                      : (struct glibc_match){start + found[i].rm_so, start + found[i].rm_eo};
  free(part);
  if (found != few)
    free(found);
  return result;
}

unsigned long re_set_syntax(unsigned long syntax) {
  unsigned long old = re_syntax_options;
  re_syntax_options = syntax;
  return old;
}

const char *re_compile_pattern(const char *text, size_t length, struct glibc_pattern *pattern) {
  static char complaint[64];
  char *whole = strndup(text, length);
  if (!whole)
    return "Memory exhausted";
  int folds = re_syntax_options & SYNTAX_ICASE || pattern->translate;
  int flags = (re_syntax_options & SYNTAX_NO_BK_PARENS ? REG_EXTENDED : 0) | (folds ? REG_ICASE : 0);
  pattern->syntax = re_syntax_options;
  pattern->no_sub = (re_syntax_options & SYNTAX_NO_SUB) != 0;
  pattern->newline_anchor = 1;
  int result = compile(pattern, whole, flags);
  free(whole);
  if (!result)
    return 0;
  regerror(result, 0, complaint, sizeof complaint);
  return complaint;
}

int re_compile_fastmap(struct glibc_pattern *pattern) {
  if (pattern->fastmap)
    memset(pattern->fastmap, 1, 256);
  pattern->fastmap_accurate = 1;
  return 0;
}

void re_set_registers(struct glibc_pattern *pattern, struct glibc_registers *registers, unsigned count, int *starts,
                      int *ends) {
  pattern->regs_allocated = count ? REGISTERS_REALLOCATE : REGISTERS_UNALLOCATED;
  *registers = (struct glibc_registers){count, count ? starts : 0, count ? ends : 0};
}

/* False if there is no memory. */
static int fill_registers(struct glibc_pattern *pattern, struct glibc_registers *to, regmatch_t *found, int at) {
  unsigned wanted = pattern->groups + 2;
  if (pattern->regs_allocated != REGISTERS_FIXED) {
    int fresh = pattern->regs_allocated == REGISTERS_UNALLOCATED;
    if (fresh || to->count < wanted) {
      int *start = realloc(fresh ? 0 : to->start, wanted * sizeof *start);
      int *end = realloc(fresh ? 0 : to->end, wanted * sizeof *end);
      if (!start || !end)
        return 0;
      *to = (struct glibc_registers){wanted, start, end};
    }
    pattern->regs_allocated = REGISTERS_REALLOCATE;
  }
  for (unsigned i = 0; i < to->count; i++) {
    int matched = i <= pattern->groups && found[i].rm_so >= 0;
    to->start[i] = matched ? at + found[i].rm_so : -1;
    to->end[i] = matched ? at + found[i].rm_eo : -1;
  }
  return 1;
}

/* Where a match begins that lies at most `range` behind `start`, or -1; -2 if there is no memory. Sets its length. */
static int search(struct glibc_pattern *pattern, const char *text, int length, int start, int range,
                  struct glibc_registers *registers, int *matched) {
  if (start < 0 || start > length)
    return -1;
  char *whole = strndup(text, length);
  regmatch_t *found = calloc(pattern->groups + 1, sizeof *found);
  int result = whole && found ? -1 : -2, last = start + range, step = range < 0 ? -1 : 1;
  last = last < 0 ? 0 : last > length ? length : last;
  for (int at = start; result == -1 && (step < 0 ? at >= last : at == start); at += step) {
    int inside = at > 0 && !(pattern->newline_anchor && whole[at - 1] == '\n');
    int flags = (inside || pattern->not_bol ? REG_NOTBOL : 0) | (pattern->not_eol ? REG_NOTEOL : 0);
    if (execute(pattern, whole + at, pattern->groups + 1, found, flags))
      continue;
    if (step < 0 ? found[0].rm_so == 0 : at + found[0].rm_so <= last) {
      result = at + found[0].rm_so;
      *matched = found[0].rm_eo - found[0].rm_so;
      if (registers && !pattern->no_sub && !fill_registers(pattern, registers, found, at))
        result = -2;
    }
  }
  free(whole);
  free(found);
  return result;
}

int re_search(struct glibc_pattern *pattern, const char *text, int length, int start, int range,
              struct glibc_registers *registers) {
  int matched;
  return search(pattern, text, length, start, range, registers, &matched);
}

/* The length of the match that begins at `start`. */
int re_match(struct glibc_pattern *pattern, const char *text, int length, int start,
             struct glibc_registers *registers) {
  int matched, at = search(pattern, text, length, start, 0, registers, &matched);
  return at < 0 ? at : matched;
}
