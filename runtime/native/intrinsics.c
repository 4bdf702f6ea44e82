/*
 * The native twin of the engine's intrinsics: linked with a program, it replays one test.
 *
 * OSIER_TEST, or KTEST_FILE as with KLEE's libkleeRuntest, names the test. Objects are handed out in order; names and
 * sizes must be those that the program asks for. See ending.h for how a run tells why it ended.
 */
#include "ending.h"
#include "test_file.h"

#include <klee/klee.h>
#include <osier.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* There if the program is built with a sanitizer, null otherwise. */
extern const char *__asan_locate_address(void *addr, char *name, size_t name_size, void **start, size_t *size)
    __attribute__((weak));
extern void *__asan_region_is_poisoned(void *start, size_t size) __attribute__((weak));
extern void __asan_report_load1(void *addr) __attribute__((weak));
extern void __sanitizer_print_stack_trace(void) __attribute__((weak));

static struct osier_test test;
static int test_is_read;
static size_t position;
static size_t used;

static void append(char *record, size_t room, const char *format, ...) {
    size_t size = strlen(record);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(record + size, room - size, format, arguments);
    va_end(arguments);
}

static void append_text(char *record, size_t room, const char *key, const char *text) {
    if (text == NULL)
        return;
    size_t start = strlen(record) + strlen(key) + 1;
    append(record, room, "%s %.900s", key, text);
    for (char *c = record + (start < room ? start : room - 1); *c; c++)
        if (*c == '\n')
            *c = ' ';
    append(record, room, "\n");
}

void osier_record_ending(const char *ending, const char *file, int line, const char *function, const char *message) {
    const char *path = getenv("OSIER_ENDING");
    if (path == NULL)
        return;
    char record[4096] = "";
    append_text(record, sizeof record, "ending", ending);
    append_text(record, sizeof record, "file", file);
    if (line != 0)
        append(record, sizeof record, "line %d\n", line);
    append_text(record, sizeof record, "function", function);
    append_text(record, sizeof record, "message", message);
    size_t total = 0;
    for (size_t i = 0; i < test.count; i++)
        total += !osier_is_environment_object(&test, i);
    append(record, sizeof record, "inputs %zu %zu\n", used, total);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    ssize_t written = write(fd, record, strlen(record));
    (void)written;
    close(fd);
}

__attribute__((destructor)) static void record_exit(void) {
    if (test_is_read)
        osier_record_ending("exit", NULL, 0, NULL, NULL);
}

/* Ends the run at once: no exit handlers, no leak check, for the program did not reach an end of its own. */
__attribute__((noreturn, format(printf, 3, 4))) static void give_up(const char *ending, int status, const char *format,
                                                                    ...) {
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fflush(NULL);
    fprintf(stderr, "osier replay: %s: %s\n", ending, message);
    osier_record_ending(ending, NULL, 0, NULL, message);
    _exit(status);
}

static void read_test_once(void) {
    if (test_is_read)
        return;
    const char *path = getenv("OSIER_TEST");
    if (path == NULL)
        path = getenv("KTEST_FILE");
    if (path == NULL)
        give_up("bad-test", OSIER_EXIT_BAD_TEST, "neither OSIER_TEST nor KTEST_FILE names a .ktest file");
    const char *problem = osier_read_test(path, &test);
    if (problem != NULL)
        give_up("bad-test", OSIER_EXIT_BAD_TEST, "%s: %s", path, problem);
    test_is_read = 1;
}

/* Steps over the environment's objects, which the program never asks for by a call, unless this is the one named. */
static struct osier_object *next_object(const char *name) {
    read_test_once();
    while (position < test.count && osier_is_environment_object(&test, position) &&
           strcmp(test.objects[position].name, name) != 0)
        position++;
    return position < test.count ? &test.objects[position] : NULL;
}

void klee_make_symbolic(void *addr, size_t nbytes, const char *name) {
    if (name == NULL)
        name = "unnamed";
    struct osier_object *object = next_object(name);
    if (object == NULL)
        give_up("inputs-exhausted", OSIER_EXIT_INPUTS_EXHAUSTED,
                "the program asks for \"%s\" after all %zu objects of the test", name, test.count);
    if (strcmp(object->name, name) != 0)
        give_up("input-mismatch", OSIER_EXIT_INPUT_MISMATCH,
                "the program asks for \"%s\", the test's object %zu is \"%s\"", name, position, object->name);
    if (object->size != nbytes)
        give_up("input-mismatch", OSIER_EXIT_INPUT_MISMATCH,
                "the program asks for %zu bytes of \"%s\", the test has %zu", nbytes, name, object->size);
    used += !osier_is_environment_object(&test, position);
    position++;
    memcpy(addr, object->bytes, nbytes);
}

int klee_int(const char *name) {
    int value;
    klee_make_symbolic(&value, sizeof value, name);
    return value;
}

int klee_range(int begin, int end, const char *name) {
    if (begin >= end)
        klee_report_error(__FILE__, __LINE__, "invalid range", "user");
    if (name == NULL)
        name = "unnamed";
    /* KLEE makes no object where there is nothing to choose: its tests replay, too. */
    if ((long)end - begin == 1) {
        struct osier_object *object = next_object(name);
        if (object == NULL || strcmp(object->name, name) != 0)
            return begin;
    }
    int value = klee_int(name);
    if (value < begin || value >= end)
        give_up("assumption-violated", OSIER_EXIT_ASSUMPTION_VIOLATED, "\"%s\" is %d, not in [%d, %d)", name, value,
                begin, end);
    return value;
}

uintptr_t klee_choose(uintptr_t n) {
    uintptr_t value;
    klee_make_symbolic(&value, sizeof value, "klee_choose");
    if (value >= n)
        give_up("assumption-violated", OSIER_EXIT_ASSUMPTION_VIOLATED, "klee_choose(%zu) got %zu", (size_t)n,
                (size_t)value);
    return value;
}

void klee_assume(uintptr_t condition) {
    if (!condition)
        give_up("assumption-violated", OSIER_EXIT_ASSUMPTION_VIOLATED, "the test does not satisfy an assumption");
}

void klee_silent_exit(int status) {
    fflush(NULL);
    osier_record_ending("silent-exit", NULL, 0, NULL, NULL);
    _exit(status);
}

void klee_abort(void) {
    fflush(NULL);
    osier_record_ending("abort", NULL, 0, NULL, "klee_abort");
    abort();
}

void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    fflush(NULL);
    fprintf(stderr, "osier replay: user-error: %s:%d: %s (%s)\n", file, line, message, suffix);
    osier_record_ending("user-error", file, line, NULL, message);
    _exit(OSIER_EXIT_USER_ERROR);
}

/* Stands in front of the C library's handlers: a failed assertion is told from a plain abort. */
__attribute__((noreturn)) static void assertion_failed(const char *expression, const char *file, unsigned line,
                                                       const char *function) {
    fflush(NULL);
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function ? function : "?", expression);
    osier_record_ending("assertion", file, (int)line, function, expression);
    abort();
}

void osier_assert_failed(const char *expression, const char *file, unsigned line, const char *function) {
    assertion_failed(expression, file, line, function);
}

__attribute__((noreturn)) void __assert(const char *expression, const char *file, int line) {
    assertion_failed(expression, file, (unsigned)line, NULL);
}

__attribute__((noreturn)) void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
    assertion_failed(strerror(error), file, line, function);
}

void klee_define_fixed_object(void *addr, size_t nbytes) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)addr / page * page;
    uintptr_t size = (uintptr_t)addr + nbytes - start;
    void *got = mmap((void *)start, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != (void *)start)
        give_up("not-native", OSIER_EXIT_NOT_NATIVE, "cannot place an object at %p: %s", addr, strerror(errno));
}

void klee_check_memory_access(const void *address, size_t size) {
    if (__asan_region_is_poisoned && __asan_report_load1) {
        void *bad = __asan_region_is_poisoned((void *)address, size);
        if (bad != NULL)
            __asan_report_load1(bad);
    }
    const volatile char *bytes = address;
    for (size_t i = 0; i < size; i++)
        (void)bytes[i];
}

size_t klee_get_obj_size(void *ptr) {
    if (__asan_locate_address) {
        char name[1];
        void *start = NULL;
        size_t size = 0;
        __asan_locate_address(ptr, name, sizeof name, &start, &size);
        if (start == ptr)
            return size;
    }
    give_up("not-native", OSIER_EXIT_NOT_NATIVE, "the size of the object at %p is not known in a native run", ptr);
}

/* Natively every value is concrete: it is its own example. */
#define GET_VALUE(suffix, type)                                                                                        \
    type klee_get_value##suffix(type expr) { return expr; }                                                            \
    type osier_get_value##suffix(type expr) { return expr; }
GET_VALUE(f, float)
GET_VALUE(d, double)
GET_VALUE(l, long)
GET_VALUE(ll, long long)
GET_VALUE(_i32, int32_t)
GET_VALUE(_i64, int64_t)

unsigned klee_is_symbolic(uintptr_t n) {
    (void)n;
    return 0;
}

unsigned klee_is_replay(void) { return 1; }

int klee_get_errno(void) { return errno; }

void klee_warning(const char *message) { fprintf(stderr, "osier replay: warning: %s\n", message); }

void klee_warning_once(const char *message) {
    static const char *seen[64];
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        if (seen[i] == message)
            return;
        if (seen[i] == NULL) {
            seen[i] = message;
            break;
        }
    }
    klee_warning(message);
}

void klee_print_expr(const char *msg, ...) { fprintf(stderr, "osier replay: %s\n", msg); }

void klee_print_range(const char *name, int arg) { fprintf(stderr, "osier replay: %s: %d\n", name, arg); }

void klee_stack_trace(void) {
    if (__sanitizer_print_stack_trace)
        __sanitizer_print_stack_trace();
}

/* What follows steers the engine only: one native run has nothing to steer. */
void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_mark_global(void *object) { (void)object; }
void klee_set_forking(unsigned enable) { (void)enable; }
void klee_open_merge(void) {}
void klee_close_merge(void) {}
void osier_kill_all_other(void) {}
void osier_merge_objects(void *a, void *b) { (void)a, (void)b; }
void osier_split_object(void *object, size_t chunk) { (void)object, (void)chunk; }

void osier_define_fixed_object(void *addr, size_t nbytes) { klee_define_fixed_object(addr, nbytes); }
void osier_make_symbolic(void *addr, size_t nbytes, const char *name) { klee_make_symbolic(addr, nbytes, name); }
int osier_range(int begin, int end, const char *name) { return klee_range(begin, end, name); }
int osier_int(const char *name) { return klee_int(name); }
uintptr_t osier_choose(uintptr_t n) { return klee_choose(n); }
void osier_assume(uintptr_t condition) { klee_assume(condition); }
void osier_silent_exit(int status) { klee_silent_exit(status); }
void osier_abort(void) { klee_abort(); }
void osier_report_error(const char *file, int line, const char *message, const char *suffix) {
    klee_report_error(file, line, message, suffix);
}
void osier_check_memory_access(const void *address, size_t size) { klee_check_memory_access(address, size); }
size_t osier_get_obj_size(void *ptr) { return klee_get_obj_size(ptr); }
unsigned osier_is_symbolic(uintptr_t n) { return klee_is_symbolic(n); }
unsigned osier_is_replay(void) { return klee_is_replay(); }
int osier_get_errno(void) { return klee_get_errno(); }
void osier_warning(const char *message) { klee_warning(message); }
void osier_warning_once(const char *message) { klee_warning_once(message); }
void osier_print_expr(const char *msg, ...) { klee_print_expr(msg); }
void osier_print_range(const char *name, int arg) { klee_print_range(name, arg); }
void osier_stack_trace(void) { klee_stack_trace(); }
void osier_prefer_cex(void *object, uintptr_t condition) { klee_prefer_cex(object, condition); }
void osier_posix_prefer_cex(void *object, uintptr_t condition) { klee_posix_prefer_cex(object, condition); }
void osier_mark_global(void *object) { klee_mark_global(object); }
void osier_set_forking(unsigned enable) { klee_set_forking(enable); }
void osier_open_merge(void) { klee_open_merge(); }
void osier_close_merge(void) { klee_close_merge(); }
