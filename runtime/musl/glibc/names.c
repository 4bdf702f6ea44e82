/* Functions of musl under further names that glibc gives them. */
#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libintl.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#define SAME(result, name, parameters, call)                                                                           \
  result name parameters { return call; }
/* A variadic one, by what takes a list. */
#define SAME_LIST(name, parameters, call)                                                                              \
  int name parameters {                                                                                                \
    va_list list;                                                                                                      \
    va_start(list, format);                                                                                            \
    int result = call;                                                                                                 \
    va_end(list);                                                                                                      \
    return result;                                                                                                     \
  }

/* <stdio.h> */
SAME(int, _IO_feof, (FILE * f), feof(f))
SAME(int, _IO_ferror, (FILE * f), ferror(f))
SAME(int, _IO_puts, (const char *s), puts(s))
SAME(int, _IO_vfprintf, (FILE * f, const char *format, va_list list), vfprintf(f, format, list))
SAME(int, _IO_vfscanf, (FILE * f, const char *format, va_list list, int *unused), vfscanf(f, format, list))
SAME_LIST(_IO_printf, (const char *format, ...), vfprintf(stdout, format, list))
SAME_LIST(_IO_fprintf, (FILE * f, const char *format, ...), vfprintf(f, format, list))
SAME_LIST(_IO_sprintf, (char *to, const char *format, ...), vsprintf(to, format, list))
SAME(int, _IO_fflush, (FILE * f), fflush(f))
SAME(int, _IO_ungetc, (int c, FILE *f), ungetc(c, f))
SAME(int, __underflow, (FILE * f), ungetc(getc(f), f))
SAME_LIST(__asprintf, (char **to, const char *format, ...), vasprintf(to, format, list))
SAME_LIST(__snprintf, (char *to, size_t count, const char *format, ...), vsnprintf(to, count, format, list))
SAME(int, __vsnprintf, (char *to, size_t count, const char *format, va_list list), vsnprintf(to, count, format, list))
SAME(int, __vfscanf, (FILE * f, const char *format, va_list list), vfscanf(f, format, list))
SAME(int, __vsscanf, (const char *from, const char *format, va_list list), vsscanf(from, format, list))
SAME_LIST(__isoc23_scanf, (const char *format, ...), vfscanf(stdin, format, list))
SAME_LIST(__isoc23_fscanf, (FILE * f, const char *format, ...), vfscanf(f, format, list))
SAME_LIST(__isoc23_sscanf, (const char *from, const char *format, ...), vsscanf(from, format, list))
SAME(int, __isoc23_vscanf, (const char *format, va_list list), vfscanf(stdin, format, list))
SAME(int, __isoc23_vfscanf, (FILE * f, const char *format, va_list list), vfscanf(f, format, list))
SAME(int, __isoc23_vsscanf, (const char *from, const char *format, va_list list), vsscanf(from, format, list))
SAME(int, fcloseall, (void), fflush(0))

/* <stdlib.h>, <inttypes.h>: the group flag of the internal ones is for thousands' separators, which "C" has not. */
SAME(long, __isoc23_strtol, (const char *s, char **end, int base), strtol(s, end, base))
SAME(unsigned long, __isoc23_strtoul, (const char *s, char **end, int base), strtoul(s, end, base))
SAME(long long, __isoc23_strtoll, (const char *s, char **end, int base), strtoll(s, end, base))
SAME(unsigned long long, __isoc23_strtoull, (const char *s, char **end, int base), strtoull(s, end, base))
SAME(intmax_t, __isoc23_strtoimax, (const char *s, char **end, int base), strtoimax(s, end, base))
SAME(uintmax_t, __isoc23_strtoumax, (const char *s, char **end, int base), strtoumax(s, end, base))
SAME(long, strtol_l, (const char *s, char **end, int base, locale_t l), strtol(s, end, base))
SAME(unsigned long, strtoul_l, (const char *s, char **end, int base, locale_t l), strtoul(s, end, base))
SAME(long long, strtoll_l, (const char *s, char **end, int base, locale_t l), strtoll(s, end, base))
SAME(unsigned long long, strtoull_l, (const char *s, char **end, int base, locale_t l), strtoull(s, end, base))
SAME(long long, strtoq, (const char *s, char **end, int base), strtoll(s, end, base))
SAME(unsigned long long, strtouq, (const char *s, char **end, int base), strtoull(s, end, base))
SAME(float, __strtof_internal, (const char *s, char **end, int group), strtof(s, end))
SAME(double, __strtod_internal, (const char *s, char **end, int group), strtod(s, end))
SAME(long double, __strtold_internal, (const char *s, char **end, int group), strtold(s, end))
SAME(char *, __secure_getenv, (const char *name), secure_getenv(name))
SAME(char *, canonicalize_file_name, (const char *path), realpath(path, 0))
SAME(void *, __tsearch, (const void *key, void **root, int (*f)(const void *, const void *)), tsearch(key, root, f))
SAME(void *, __tfind, (const void *key, void *const *root, int (*f)(const void *, const void *)), tfind(key, root, f))
SAME(void *, __tdelete, (const void *restrict key, void **restrict root, int (*f)(const void *, const void *)),
     tdelete(key, root, f))

/* <string.h> */
void __bzero(void *at, size_t count) { memset(at, 0, count); }
SAME(int, __ffs, (int i), ffs(i))
SAME(int, __memcmpeq, (const void *a, const void *b, size_t n), memcmp(a, b, n))
SAME(void *, __mempcpy, (void *to, const void *from, size_t n), mempcpy(to, from, n))
SAME(int, __strcasecmp, (const char *a, const char *b), strcasecmp(a, b))
SAME(char *, __strcasestr, (const char *a, const char *b), strcasestr(a, b))
SAME(char *, __strdup, (const char *s), strdup(s))
SAME(char *, __strndup, (const char *s, size_t n), strndup(s, n))
SAME(char *, __strsep_g, (char **s, const char *delimiters), strsep(s, delimiters))
SAME(char *, __strtok_r, (char *restrict s, const char *restrict d, char **restrict at), strtok_r(s, d, at))
SAME(int, __strverscmp, (const char *a, const char *b), strverscmp(a, b))
void *rawmemchr(const void *, int);
SAME(void *, __rawmemchr, (const void *from, int byte), rawmemchr(from, byte))
wchar_t *wcschrnul(const wchar_t *from, wchar_t what) {
  while (*from && *from != what)
    from++;
  return (wchar_t *)from;
}

/* <wchar.h>, <wctype.h>, <libintl.h> */
SAME(size_t, __mbrlen, (const char *restrict s, size_t n, mbstate_t *restrict state), mbrlen(s, n, state))
SAME(size_t, __mbrtowc, (wchar_t *restrict to, const char *restrict s, size_t n, mbstate_t *restrict state),
     mbrtowc(to, s, n, state))
SAME(int, __iswctype, (wint_t c, wctype_t type), iswctype(c, type))
SAME(wint_t, __towctrans, (wint_t c, wctrans_t how), towctrans(c, how))
SAME(long, wcstol_l, (const wchar_t *s, wchar_t **end, int base, locale_t l), wcstol(s, end, base))
SAME(unsigned long, wcstoul_l, (const wchar_t *s, wchar_t **end, int base, locale_t l), wcstoul(s, end, base))
SAME(double, wcstod_l, (const wchar_t *s, wchar_t **end, locale_t l), wcstod(s, end))
SAME(char *, __dgettext, (const char *domain, const char *id), dgettext(domain, id))
SAME(char *, __dcgettext, (const char *domain, const char *id, int category), dcgettext(domain, id, category))
/* Changes when translations do; programs compare it with what it was. */
int _nl_msg_cat_cntr;

/* <unistd.h> and other system calls */
SAME(int, __open, (const char *path, int flags, int mode), open(path, flags, mode))
SAME(int, __open64, (const char *path, int flags, int mode), open(path, flags, mode))
SAME(int, __close, (int file), close(file))
SAME(ssize_t, __read, (int file, void *to, size_t n), read(file, to, n))
SAME(ssize_t, __write, (int file, const void *from, size_t n), write(file, from, n))
SAME(ssize_t, __pread64, (int file, void *to, size_t n, off_t at), pread(file, to, n, at))
SAME(ssize_t, __pwrite64, (int file, const void *from, size_t n, off_t at), pwrite(file, from, n, at))
SAME(int, __fcntl, (int file, int command, long argument), fcntl(file, command, argument))
SAME(int, fcntl64, (int file, int command, long argument), fcntl(file, command, argument))
SAME(off_t, llseek, (int file, off_t at, int whence), lseek(file, at, whence))
SAME(int, __dup2, (int from, int to), dup2(from, to))
SAME(int, __pipe, (int ends[2]), pipe(ends))
SAME(int, __poll, (struct pollfd * files, nfds_t count, int timeout), poll(files, count, timeout))
SAME(int, __select, (int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e, struct timeval *restrict timeout),
     select(n, r, w, e, timeout))
SAME(int, __statfs, (const char *path, struct statfs *to), statfs(path, to))
SAME(pid_t, __getpid, (void), getpid())
SAME(pid_t, __getpgid, (pid_t pid), getpgid(pid))
SAME(int, __getpagesize, (void), getpagesize())
SAME(pid_t, __fork, (void), fork())
SAME(pid_t, __libc_fork, (void), fork())
SAME(pid_t, __waitpid, (pid_t pid, int *status, int options), waitpid(pid, status, options))
SAME(int, __nanosleep, (const struct timespec *wanted, struct timespec *left), nanosleep(wanted, left))
SAME(int, __gettimeofday, (struct timeval *restrict to, void *restrict zone), gettimeofday(to, zone))
SAME(long, __sysconf, (int name), sysconf(name))
SAME(int, __sched_yield, (void), sched_yield())
SAME(int, __connect, (int file, const struct sockaddr *to, socklen_t size), connect(file, to, size))
SAME(ssize_t, __send, (int file, const void *from, size_t n, int flags), send(file, from, n, flags))
SAME(ssize_t, __recv, (int file, void *to, size_t n, int flags), recv(file, to, n, flags))
SAME(time_t, timelocal, (struct tm * when), mktime(when))

/* <signal.h> */
SAME(int, __sigaddset, (sigset_t * set, int signal), sigaddset(set, signal))
SAME(int, __sigdelset, (sigset_t * set, int signal), sigdelset(set, signal))
SAME(int, __sigismember, (const sigset_t *set, int signal), sigismember(set, signal))
SAME(int, __sigsuspend, (const sigset_t *set), sigsuspend(set))
SAME(int, gsignal, (int signal), raise(signal))
typedef void (*signal_handler)(int);
SAME(signal_handler, ssignal, (int number, signal_handler f), signal(number, f))

/* <pthread.h> */
SAME(int, __pthread_mutex_init, (pthread_mutex_t *restrict m, const pthread_mutexattr_t *restrict a),
     pthread_mutex_init(m, a))
SAME(int, __pthread_mutex_destroy, (pthread_mutex_t * m), pthread_mutex_destroy(m))
SAME(int, __pthread_mutexattr_init, (pthread_mutexattr_t * a), pthread_mutexattr_init(a))
SAME(int, __pthread_mutexattr_destroy, (pthread_mutexattr_t * a), pthread_mutexattr_destroy(a))
SAME(int, __pthread_mutexattr_settype, (pthread_mutexattr_t * a, int type), pthread_mutexattr_settype(a, type))
SAME(int, pthread_mutexattr_setkind_np, (pthread_mutexattr_t * a, int type), pthread_mutexattr_settype(a, type))
SAME(int, __pthread_rwlock_init, (pthread_rwlock_t *restrict l, const pthread_rwlockattr_t *restrict a),
     pthread_rwlock_init(l, a))
SAME(int, __pthread_rwlock_destroy, (pthread_rwlock_t * l), pthread_rwlock_destroy(l))
SAME(void *, __pthread_getspecific, (pthread_key_t key), pthread_getspecific(key))
SAME(int, __pthread_setspecific, (pthread_key_t key, const void *value), pthread_setspecific(key, value))
SAME(int, pthread_yield, (void), sched_yield())

/* <math.h>: what are macros in C99 are functions too. */
#define CLASSES(type, suffix)                                                                                          \
  SAME(int, __isnan##suffix, (type x), x != x)                                                                         \
  SAME(int, (isnan##suffix), (type x), x != x)                                                                         \
  SAME(int, __isinf##suffix, (type x), isinf(x) ? (signbit(x) ? -1 : 1) : 0)                                           \
  SAME(int, (isinf##suffix), (type x), isinf(x) ? (signbit(x) ? -1 : 1) : 0)                                           \
  SAME(int, __finite##suffix, (type x), isfinite(x))
CLASSES(float, f)
CLASSES(double, )
CLASSES(long double, l)
SAME(int, finitel, (long double x), isfinite(x))
SAME(float, gammaf, (float x), lgammaf(x))
SAME(double, gamma, (double x), lgamma(x))
SAME(long double, gammal, (long double x), lgammal(x))
SAME(long double, dreml, (long double x, long double y), remainderl(x, y))
SAME(double, roundeven, (double x), nearbyint(x))
SAME(float, roundevenf, (float x), nearbyintf(x))
SAME(long double, roundevenl, (long double x), nearbyintl(x))
