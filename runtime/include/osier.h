/*
 * Osier's intrinsics under Osier's names. Each behaves as the function of the same name in <klee/klee.h>, where they are
 * described; both headers may be included together.
 */
#ifndef OSIER_H
#define OSIER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void osier_define_fixed_object(void *addr, size_t nbytes);
void osier_make_symbolic(void *addr, size_t nbytes, const char *name);
int osier_range(int begin, int end, const char *name);
int osier_int(const char *name);
uintptr_t osier_choose(uintptr_t n);
void osier_assume(uintptr_t condition);

__attribute__((noreturn)) void osier_silent_exit(int status);
__attribute__((noreturn)) void osier_abort(void);
__attribute__((noreturn)) void osier_report_error(const char *file, int line, const char *message, const char *suffix);
void osier_check_memory_access(const void *address, size_t size);

size_t osier_get_obj_size(void *ptr);
unsigned osier_is_symbolic(uintptr_t n);
unsigned osier_is_replay(void);
float osier_get_valuef(float expr);
double osier_get_valued(double expr);
long osier_get_valuel(long expr);
long long osier_get_valuell(long long expr);
int32_t osier_get_value_i32(int32_t expr);
int64_t osier_get_value_i64(int64_t expr);
int osier_get_errno(void);

void osier_warning(const char *message);
void osier_warning_once(const char *message);
void osier_print_expr(const char *msg, ...);
void osier_print_range(const char *name, int arg);
void osier_stack_trace(void);

/*
 * For pointers that may lead to several places: see the objects of a and b, and what either was merged with, as one array;
 * see an object in chunks of so many bytes (a multiple of 8; 0: as a whole).
 */
void osier_merge_objects(void *a, void *b);
void osier_split_object(void *object, size_t chunk);

void osier_prefer_cex(void *object, uintptr_t condition);
void osier_posix_prefer_cex(void *object, uintptr_t condition);
void osier_mark_global(void *object);
void osier_set_forking(unsigned enable);
void osier_open_merge(void);
void osier_close_merge(void);

/* Keeps the calling path and drops all others. */
void osier_kill_all_other(void);

#ifndef OSIER_ASSERT_FAILED
#define OSIER_ASSERT_FAILED
__attribute__((noreturn)) void osier_assert_failed(const char *expression, const char *file, unsigned line,
                                                   const char *function) __asm__("__assert_fail");
#endif

#define osier_assert(expr) ((expr) ? (void)0 : osier_assert_failed(#expr, __FILE__, __LINE__, __func__))

#ifdef __cplusplus
}
#endif

#endif
