/* Threads, of which there is one. Locks, keys and semaphores are musl's own; no second thread can be made, and where
   the one would wait for another it waits for ever, which is reported. */
#include "libc.h"
#include "pthread_impl.h"
#include <stdlib.h>

_Noreturn void osier_report_error(const char *file, int line, const char *message, const char *suffix);

static _Noreturn void wait_for_ever(void) {
  osier_report_error("", 0, "deadlock: the only thread waits for another", "deadlock");
}

/* For the libc's own data: nobody to lock out. */
void __lock(volatile int *lock) { (void)lock; }
void __unlock(volatile int *lock) { (void)lock; }

void __wait(volatile int *at, volatile int *waiters, int value, int private) {
  (void)waiters, (void)private;
  if (*at == value)
    wait_for_ever();
}

int __timedwait_cp(volatile int *at, int value, clockid_t clock, const struct timespec *until, int private) {
  (void)clock, (void)private;
  if (*at != value)
    return 0;
  if (!until)
    wait_for_ever();
  return until->tv_nsec >= 1000000000UL ? EINVAL : ETIMEDOUT;
}

int __timedwait(volatile int *at, int value, clockid_t clock, const struct timespec *until, int private) {
  return __timedwait_cp(at, value, clock, until, private);
}

/* As where the system has no room for one more. */
int __pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*f)(void *),
                     void *restrict argument) {
  (void)thread, (void)attributes, (void)f, (void)argument;
  return EAGAIN;
}
weak_alias(__pthread_create, pthread_create);

int __clone(int (*f)(void *), void *stack, int flags, void *argument, ...) {
  (void)f, (void)stack, (void)flags, (void)argument;
  return -EAGAIN;
}

int __pthread_join(pthread_t thread, void **result) {
  (void)result;
  return thread == __pthread_self() ? EDEADLK : ESRCH;
}
weak_alias(__pthread_join, pthread_join);

int __pthread_tryjoin_np(pthread_t thread, void **result) { return __pthread_join(thread, result); }
weak_alias(__pthread_tryjoin_np, pthread_tryjoin_np);

int __pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until) {
  (void)until;
  return __pthread_join(thread, result);
}
weak_alias(__pthread_timedjoin_np, pthread_timedjoin_np);

int __pthread_detach(pthread_t thread) {
  if (thread != __pthread_self())
    return ESRCH;
  thread->detach_state = DT_DETACHED;
  return 0;
}
weak_alias(__pthread_detach, pthread_detach);
weak_alias(__pthread_detach, thrd_detach);

/* The last thread to leave ends the process. */
_Noreturn void __pthread_exit(void *result) {
  struct pthread *self = __pthread_self();
  self->canceldisable = 1;
  self->result = result;
  while (self->cancelbuf) {
    struct __ptcb *cleanup = self->cancelbuf;
    self->cancelbuf = cleanup->__next;
    cleanup->__f(cleanup->__x);
  }
  __pthread_tsd_run_dtors();
  exit(0);
}
weak_alias(__pthread_exit, pthread_exit);

void __do_cleanup_push(struct __ptcb *cleanup) {
  struct pthread *self = __pthread_self();
  cleanup->__next = self->cancelbuf;
  self->cancelbuf = cleanup;
}
void __do_cleanup_pop(struct __ptcb *cleanup) { __pthread_self()->cancelbuf = cleanup->__next; }

void __testcancel(void) {
  struct pthread *self = __pthread_self();
  if (self->cancel && !self->canceldisable)
    __pthread_exit(PTHREAD_CANCELED);
}

int pthread_cancel(pthread_t thread) {
  if (thread != __pthread_self())
    return ESRCH;
  thread->cancel = 1;
  if (thread->cancelasync)
    __testcancel();
  return 0;
}

long(__syscall_cp)(long n, long a, long b, long c, long d, long e, long f) {
  if (__pthread_self()->cancel)
    __testcancel();
  return __osier_syscall(n, a, b, c, d, e, f);
}

void __synccall(void (*f)(void *), void *argument) { f(argument); }

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
  (void)thread;
  *attributes = (pthread_attr_t){0};
  attributes->_a_stacksize = 8 << 20;
  return 0;
}

/* glibc's pthread_atfork and on_exit-like registrations of its shared objects come here. */
int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void), void *object) {
  (void)object;
  return pthread_atfork(before, parent, child);
}
