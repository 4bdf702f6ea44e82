/*
 * The intrinsics of KLEE, as Osier understands them. Programs written for KLEE compile unchanged.
 *
 * Under `osier run` the engine answers these calls itself. In a native build they come from the twin
 * (runtime/native), which hands out the values of one test.
 */
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Declares that the program may use the nbytes bytes at this fixed address. */
void klee_define_fixed_object(void *addr, size_t nbytes);

/* Gives the nbytes bytes at addr any value. addr must be the start of an object of exactly that size. The name appears
 * in tests and reports. */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);

/* Any int from begin up to, but not including, end. */
int klee_range(int begin, int end, const char *name);

/* Any int. */
int klee_int(const char *name);

/* Ends the path; no test is written for it. */
__attribute__((noreturn)) void klee_silent_exit(int status);

/* Ends the path as an abort. */
__attribute__((noreturn)) void klee_abort(void);

/* Ends the path with an error of the program's own making. */
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message, const char *suffix);

/* The size of the object that ptr points to the start of. */
size_t klee_get_obj_size(void *ptr);

/* Prints the values that follow the message, symbolic ones as expressions. */
void klee_print_expr(const char *msg, ...);

/* Any value below n. */
uintptr_t klee_choose(uintptr_t n);

/* Whether the value depends on a symbolic object on this path. */
unsigned klee_is_symbolic(uintptr_t n);

/* 1 in the native twin, where a test decides the values; 0 under the engine. */
unsigned klee_is_replay(void);

/* Goes on only with the inputs for which the condition holds. */
void klee_assume(uintptr_t condition);

void klee_warning(const char *message);
void klee_warning_once(const char *message);

/* A wish: where a test is free to choose, the condition should hold in it. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);

void klee_mark_global(void *object);

/* One concrete value that the expression can have on this path; the path is not constrained to it. */
float klee_get_valuef(float expr);
double klee_get_valued(double expr);
long klee_get_valuel(long expr);
long long klee_get_valuell(long long expr);
int32_t klee_get_value_i32(int32_t expr);
int64_t klee_get_value_i64(int64_t expr);

/* An error of the program unless the size bytes at address may all be accessed. */
void klee_check_memory_access(const void *address, size_t size);

/* 0: from here on this path follows one side of each branch only. 1: both again. */
void klee_set_forking(unsigned enable);

void klee_stack_trace(void);

void klee_print_range(const char *name, int arg);

/* Paths that fork between these two are merged at the second. */
void klee_open_merge(void);
void klee_close_merge(void);

/* errno as the engine's last call to the system left it. */
int klee_get_errno(void);

/* Keeps the calling path and drops all others. KLEE has no such call. */
void osier_kill_all_other(void);

/* The C library's own handler under a second name, so that klee_assert works under NDEBUG and whatever integer type
 * <assert.h> gives to the line. */
#ifndef OSIER_ASSERT_FAILED
#define OSIER_ASSERT_FAILED
__attribute__((noreturn)) void osier_assert_failed(const char *expression, const char *file, unsigned line,
                                                   const char *function) __asm__("__assert_fail");
#endif

#define klee_assert(expr) ((expr) ? (void)0 : osier_assert_failed(#expr, __FILE__, __LINE__, __func__))

#ifdef __cplusplus
}
#endif

#endif
