/* What musl expects of its start-up code and of its allocator. The engine supplies the allocation functions. */
#include "libc.h"
#include "locale_impl.h"
#include "pthread_impl.h"
#include <elf.h>
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

struct pthread __osier_thread;
volatile int __thread_list_lock;

/* What the kernel would tell: nothing but the size of a page. */
static size_t auxiliary[] = {AT_PAGESZ, 4096, AT_CLKTCK, 100, AT_NULL, 0};

/* What only the engine calls, named here so that it is linked. */
void (*__osier_libc_exit)(int);
int __osier_save_mask(sigjmp_buf, int);
static int (*save_mask)(sigjmp_buf, int);

/* Run before the program's constructors. */
void __osier_libc_init(int argc, char **argv, char **envp) {
  __osier_libc_exit = exit;
  save_mask = __osier_save_mask;
  struct pthread *self = &__osier_thread;
  self->self = self->next = self->prev = self;
  self->tid = 1;
  self->detach_state = DT_JOINABLE;
  self->robust_list.head = &self->robust_list.head;
  self->locale = &libc.global_locale;
  libc.page_size = 4096;
  libc.auxv = auxiliary;
  __environ = envp;
  __progname = __progname_full = argc > 0 && argv && argv[0] ? argv[0] : "";
  for (char *at = __progname_full; *at; at++)
    if (*at == '/')
      __progname = at + 1;
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

/* Signals come only from the program itself, so the libc has none to keep out. */
void __block_all_sigs(void *set) { (void)set; }
void __block_app_sigs(void *set) { (void)set; }
void __restore_sigs(void *set) { (void)set; }

/* The engine's sigsetjmp goes on with this; its result is sigsetjmp's. */
int __osier_save_mask(sigjmp_buf buffer, int wanted) {
  buffer->__fl = wanted != 0;
  if (wanted)
    __syscall(SYS_rt_sigprocmask, SIG_SETMASK, 0, buffer->__ss, _NSIG / 8);
  return 0;
}

_Noreturn void siglongjmp(sigjmp_buf buffer, int value) {
  if (buffer->__fl)
    __syscall(SYS_rt_sigprocmask, SIG_SETMASK, buffer->__ss, 0, _NSIG / 8);
  longjmp(buffer, value);
}
_Noreturn void __longjmp_chk(sigjmp_buf buffer, int value) { siglongjmp(buffer, value); }

/* Stacks are objects with ends of their own: no guard is ever found broken. */
_Noreturn void __stack_chk_fail(void) { abort(); }
