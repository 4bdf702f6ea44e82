/* Functions that glibc's headers declare otherwise than musl's, or that do otherwise than musl's where programs can tell.
   A program that was not compiled for musl gets `__glibc_f` where it calls `f`. */
#define _GNU_SOURCE
#include <errno.h>
#include <ftw.h>
#include <locale.h>
#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Offsets are ints. */
struct glibc_match {
  int start, end;
};

/* The number of subexpressions stands at another place, which musl keeps free for it. */
int __glibc_regcomp(regex_t *restrict pattern, const char *restrict text, int flags) {
  int result = regcomp(pattern, text, flags);
  pattern->__nsub2 = pattern->re_nsub;
  return result;
}

/* The first match says which part of the text is meant. musl does not know it. */
enum { GLIBC_STARTEND = 4 };

int __glibc_regexec(const regex_t *restrict pattern, const char *restrict text, size_t count,
                    struct glibc_match *restrict matches, int flags) {
  enum { FEW = 16 };
  regmatch_t few[FEW], *found = few;
  char *part = 0;
  int start = 0;
  if (count > FEW && !(found = calloc(count, sizeof *found)))
    return REG_ESPACE;
  if (flags & GLIBC_STARTEND) {
    start = matches[0].start;
    text = part = strndup(text + start, matches[0].end - start);
  }
  int result = text ? regexec(pattern, text, count, found, flags & ~GLIBC_STARTEND) : REG_ESPACE;
  if (!result)
    for (size_t i = 0; i < count; i++)
      matches[i] = found[i].rm_so < 0 ? (struct glibc_match){-1, -1}
                                      : (struct glibc_match){start + found[i].rm_so, start + found[i].rm_eo};
  free(part);
  if (found != few)
    free(found);
  return result;
}

/* The one of GNU: what follows the last slash, and nothing is changed. The other is __xpg_basename. */
char *__glibc_basename(const char *path) {
  char *slash = strrchr(path, '/');
  return slash ? slash + 1 : (char *)path;
}

/* What a file is counts from zero. */
static int (*visit)(const char *, const struct stat *, int);
static int (*visit_with_place)(const char *, const struct stat *, int, struct FTW *);
static int call_visit(const char *path, const struct stat *stat, int kind) { return visit(path, stat, kind - FTW_F); }
static int call_visit_with_place(const char *path, const struct stat *stat, int kind, struct FTW *place) {
  return visit_with_place(path, stat, kind - FTW_F, place);
}
int __glibc_ftw(const char *path, int (*f)(const char *, const struct stat *, int), int files) {
  visit = f;
  return ftw(path, call_visit, files);
}
int __glibc_nftw(const char *path, int (*f)(const char *, const struct stat *, int, struct FTW *), int files, int flags) {
  visit_with_place = f;
  return nftw(path, call_visit_with_place, files, flags);
}
int __glibc_ftw64(const char *path, int (*f)(const char *, const struct stat *, int), int files) {
  return __glibc_ftw(path, f, files);
}
int __glibc_nftw64(const char *path, int (*f)(const char *, const struct stat *, int, struct FTW *), int files,
                   int flags) {
  return __glibc_nftw(path, f, files, flags);
}

/* Without a word in the environment the locale is "C", of bytes; musl's is of UTF-8. */
static const char *wanted_locale(int category) {
  static const char *const names[] = {"LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY", "LC_MESSAGES"};
  const char *value = getenv("LC_ALL");
  if (!value || !*value)
    value = getenv(names[category]);
  if (!value || !*value)
    value = getenv("LANG");
  return value && *value && strcmp(value, "POSIX") ? value : "C";
}
char *__glibc_setlocale(int category, const char *name) {
  if (!name || *name || category < 0 || category > LC_ALL)
    return setlocale(category, name);
  if (category != LC_ALL)
    return setlocale(category, wanted_locale(category));
  for (int each = 0; each < LC_ALL; each++)
    if (!setlocale(each, wanted_locale(each)))
      return 0;
  return setlocale(LC_ALL, 0);
}

/* The additive feedback generator x[i] = x[i-3] + x[i-31], of whose sums the lowest bit is dropped. */
enum { DEGREE = 31, DISTANCE = 3 };
static uint32_t feedback[DEGREE];
static int front = -1;

static uint32_t next_random(void) {
  int back = (front + DEGREE - DISTANCE) % DEGREE;
  uint32_t sum = feedback[front] += feedback[back];
  front = (front + 1) % DEGREE;
  return sum >> 1;
}
void __glibc_srandom(unsigned seed) {
  int32_t word = seed ? seed : 1;
  feedback[0] = word;
  for (int i = 1; i < DEGREE; i++) {
    word = 16807 * (word % 127773) - 2836 * (word / 127773);
    if (word < 0)
      word += 2147483647;
    feedback[i] = word;
  }
  front = DISTANCE;
  for (int i = 0; i < 10 * DEGREE; i++)
    next_random();
}
long __glibc_random(void) {
  if (front < 0)
    __glibc_srandom(1);
  return next_random();
}
void __glibc_srand(unsigned seed) { __glibc_srandom(seed); }
int __glibc_rand(void) { return __glibc_random(); }
