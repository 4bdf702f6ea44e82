/* What musl expects of its start-up code and of its allocator. The engine supplies the allocation functions. */
#include "libc.h"
#include "locale_impl.h"
#include "pthread_impl.h"
#include "stdio_impl.h"
#include <stdlib.h>

static struct pthread the_thread;

uintptr_t __osier_thread_pointer(void) { return (uintptr_t)&the_thread; }

/* Run before the program's constructors. Output is not buffered, so that what functions of the engine write comes in
   order with what musl writes. */
void (*__osier_libc_exit)(int);

void __osier_libc_init(void) {
  /* The engine calls it when main returns; named here so that it is linked. */
  __osier_libc_exit = exit;
  the_thread.self = &the_thread;
  the_thread.tid = 1;
  the_thread.locale = &libc.global_locale;
  libc.page_size = 4096;
  stdout->lbf = -1;
  stdout->buf_size = 0;
}

/* The program's destructors, which the engine knows. */
void __osier_run_destructors(void);
void __libc_exit_fini(void) { __osier_run_destructors(); }

void *__libc_malloc(size_t size) { return malloc(size); }
void *__libc_calloc(size_t count, size_t size) { return calloc(count, size); }
void *__libc_realloc(void *block, size_t size) { return realloc(block, size); }
void __libc_free(void *block) { free(block); }

/* errno is the engine's, which functions of the engine set too. */
int *__errno_location(void);
int *___errno_location(void) { return __errno_location(); }

/* One thread and no signals: nothing to lock, nothing to block, nothing to cancel. */
void __lock(volatile int *lock) { (void)lock; }
void __unlock(volatile int *lock) { (void)lock; }
void __block_all_sigs(void *set) { (void)set; }
void __block_app_sigs(void *set) { (void)set; }
void __restore_sigs(void *set) { (void)set; }
int pthread_setcancelstate(int wanted, int *old) {
  if (old)
    *old = wanted;
  return 0;
}
void _pthread_cleanup_push(struct __ptcb *cleanup, void (*f)(void *), void *argument) {
  cleanup->__f = f;
  cleanup->__x = argument;
}
void _pthread_cleanup_pop(struct __ptcb *cleanup, int run) {
  if (run)
    cleanup->__f(cleanup->__x);
}
long(__syscall_cp)(long n, long a, long b, long c, long d, long e, long f) { return __osier_syscall(n, a, b, c, d, e, f); }
