/* What glibc has of its own: allocation statistics, system calls that musl leaves out, random bytes, traces. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "syscall.h"

/* Programs take short cuts where it is set, and there is but one thread. */
char __libc_single_threaded = 1;

const char *gnu_get_libc_version(void) { return "2.36"; }
const char *gnu_get_libc_release(void) { return "stable"; }

/* <malloc.h>: the engine's allocator has nothing to tune and keeps no figures. */
size_t osier_get_obj_size(void *);
size_t malloc_usable_size(void *block) { return block ? osier_get_obj_size(block) : 0; }
int mallopt(int parameter, int value) {
  (void)parameter, (void)value;
  return 1;
}
int malloc_trim(size_t kept) {
  (void)kept;
  return 0;
}
struct mallinfo_of_glibc {
  int figures[10];
};
struct mallinfo_of_glibc mallinfo(void) { return (struct mallinfo_of_glibc){{0}}; }
struct mallinfo2_of_glibc {
  size_t figures[10];
};
struct mallinfo2_of_glibc mallinfo2(void) { return (struct mallinfo2_of_glibc){{0}}; }
void malloc_stats(void) {}
int malloc_info(int options, FILE *to) { return options ? EINVAL : fputs("<malloc version=\"1\">\n</malloc>\n", to) < 0; }
void mtrace(void) {}
void muntrace(void) {}
void cfree(void *block) { free(block); }
void *pvalloc(size_t size) { return memalign(4096, (size + 4095) & -4096ul); }
void *__libc_memalign(size_t alignment, size_t size) { return memalign(alignment, size); }

/* <execinfo.h> */
int backtrace(void **to, int room) {
  (void)to, (void)room;
  return 0;
}
char **backtrace_symbols(void *const *from, int count) {
  (void)from, (void)count;
  return malloc(1);
}
void backtrace_symbols_fd(void *const *from, int count, int file) { (void)from, (void)count, (void)file; }

/* <link.h>: one program and no shared objects, whose headers nobody has. */
int dl_iterate_phdr(int (*f)(struct dl_phdr_info *, size_t, void *), void *argument) {
  (void)f, (void)argument;
  return 0;
}

/* <assert.h> */
char *__glibc_strerror(int);
_Noreturn void __assert_fail(const char *, const char *, int, const char *);
_Noreturn void __assert_perror_fail(int number, const char *file, unsigned line, const char *function) {
  __assert_fail(__glibc_strerror(number), file, line, function);
}
_Noreturn void __assert(const char *expression, const char *file, int line) {
  __assert_fail(expression, file, line, "");
}

/* <stdlib.h> */
struct exit_handler {
  void (*f)(int, void *);
  void *argument;
};
int __cxa_atexit(void (*)(void *), void *, void *);
/* The status is not known to the libc's list; handlers are told zero. */
static void run_exit_handler(void *at) {
  struct exit_handler handler = *(struct exit_handler *)at;
  free(at);
  handler.f(0, handler.argument);
}
int on_exit(void (*f)(int, void *), void *argument) {
  struct exit_handler *handler = malloc(sizeof *handler);
  if (!handler)
    return -1;
  *handler = (struct exit_handler){f, argument};
  return __cxa_atexit(run_exit_handler, handler, 0);
}
int __cxa_thread_atexit_impl(void (*f)(void *), void *argument, void *object) { return __cxa_atexit(f, argument, object); }

int rpmatch(const char *answer) {
  if (*answer == 'y' || *answer == 'Y')
    return 1;
  return *answer == 'n' || *answer == 'N' ? 0 : -1;
}

void arc4random_buf(void *to, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t got = getrandom((char *)to + done, count - done, 0);
    if (got <= 0)
      abort();
    done += got;
  }
}
uint32_t arc4random(void) {
  uint32_t bits;
  arc4random_buf(&bits, sizeof bits);
  return bits;
}
uint32_t arc4random_uniform(uint32_t bound) {
  if (bound < 2)
    return 0;
  uint32_t bits, least = -bound % bound;
  do
    bits = arc4random();
  while (bits < least);
  return bits % bound;
}

/* <sys/sysmacros.h> */
unsigned gnu_dev_major(unsigned long long device) { return major(device); }
unsigned gnu_dev_minor(unsigned long long device) { return minor(device); }
unsigned long long gnu_dev_makedev(unsigned high, unsigned low) { return makedev(high, low); }

/* System calls. */
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  return syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
int statx(int folder, const char *restrict path, int flags, unsigned mask, void *restrict to) {
  return syscall(SYS_statx, folder, path, flags, mask, to);
}
int close_range(unsigned first, unsigned last, int flags) { return syscall(SYS_close_range, first, last, flags); }
void closefrom(int first) { close_range(first < 0 ? 0 : first, ~0u, 0); }
int execveat(int folder, const char *path, char *const *argv, char *const *envp, int flags) {
  return syscall(SYS_execveat, folder, path, argv, envp, flags);
}
int tgkill(int group, int thread, int signal) { return syscall(SYS_tgkill, group, thread, signal); }
int group_member(gid_t group) {
  gid_t groups[256];
  int count = getgroups(256, groups);
  for (int i = 0; i < count; i++)
    if (groups[i] == group)
      return 1;
  return 0;
}

/* Signals, as 4.2BSD had them: a mask of the first 32. */
static int mask_of(const sigset_t *set) { return (int)set->__bits[0]; }
static int change_mask(int how, int mask) {
  sigset_t wanted = {{(unsigned)mask}}, old;
  return sigprocmask(how, &wanted, &old) ? -1 : mask_of(&old);
}
int sigblock(int mask) { return change_mask(SIG_BLOCK, mask); }
int sigsetmask(int mask) { return change_mask(SIG_SETMASK, mask); }
int siggetmask(void) { return sigblock(0); }

/* pthread_cleanup_push and pop, as glibc's header writes them in C: a jump that no cancellation ever takes. */
void __pthread_register_cancel(void *buffer) { (void)buffer; }
void __pthread_unregister_cancel(void *buffer) { (void)buffer; }
_Noreturn void __pthread_unwind_next(void *buffer) {
  (void)buffer;
  pthread_exit(PTHREAD_CANCELED);
}

/* Locks by another clock: nobody lets go of them, so whether and when they time out does not hang on the clock. */
int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  (void)clock;
  return pthread_mutex_timedlock(mutex, until);
}
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until) {
  (void)clock;
  return pthread_cond_timedwait(condition, mutex, until);
}
