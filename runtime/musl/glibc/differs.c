/* Functions that glibc's headers declare otherwise than musl's, or that do otherwise than musl's where programs can tell.
   A program that was not compiled for musl gets `__glibc_f` where it calls `f`. */
#define _GNU_SOURCE
#include <errno.h>
#include <ftw.h>
#include <locale.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one of GNU: what follows the last slash, and nothing is changed. The other is __xpg_basename. */
char *__glibc_basename(const char *path) {
  char *slash = strrchr(path, '/');
  return slash ? slash + 1 : (char *)path;
}

/* PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP and its kin write the type where musl has nothing. */
static pthread_mutex_t *with_type(pthread_mutex_t *mutex) {
  if (mutex->__u.__i[4]) {
    mutex->__u.__i[0] |= mutex->__u.__i[4] & 3;
    mutex->__u.__i[4] = 0;
  }
  return mutex;
}
int __glibc_pthread_mutex_lock(pthread_mutex_t *mutex) { return pthread_mutex_lock(with_type(mutex)); }
int __glibc_pthread_mutex_trylock(pthread_mutex_t *mutex) { return pthread_mutex_trylock(with_type(mutex)); }
int __glibc_pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
  return pthread_mutex_timedlock(with_type(mutex), until);
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
