/* Reading .ktest files, versions 1 to 3, for the native twin. */
#ifndef OSIER_NATIVE_TEST_FILE_H
#define OSIER_NATIVE_TEST_FILE_H

#include <stddef.h>

struct osier_object {
    char *name;
    unsigned char *bytes;
    size_t size;
};

struct osier_test {
    struct osier_object *objects;
    size_t count;
};

/* Returns null if all went well, else what is wrong. */
const char *osier_read_test(const char *path, struct osier_test *test);

/* Whether the object belongs to the symbolic environment (arguments, files, standard input), which the replayer sets up
 * before the program starts, and not to a call of klee_make_symbolic. */
int osier_is_environment_object(const struct osier_test *test, size_t index);

#endif
