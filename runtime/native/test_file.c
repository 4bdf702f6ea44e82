#include "test_file.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const unsigned char *at;
    size_t left;
    int failed;
};

static uint32_t read_u32(struct reader *reader) {
    if (reader->left < 4) {
        reader->failed = 1;
        return 0;
    }
    const unsigned char *p = reader->at;
    reader->at += 4;
    reader->left -= 4;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* The copy has a zero byte after its end, so that names are strings. */
static unsigned char *read_block(struct reader *reader, size_t *size) {
    *size = read_u32(reader);
    if (reader->failed || *size > reader->left) {
        reader->failed = 1;
        return NULL;
    }
    unsigned char *copy = malloc(*size + 1);
    if (copy == NULL) {
        reader->failed = 1;
        return NULL;
    }
    memcpy(copy, reader->at, *size);
    copy[*size] = 0;
    reader->at += *size;
    reader->left -= *size;
    return copy;
}

static const char *parse(struct reader *reader, struct osier_test *test) {
    if (reader->left < 5 || (memcmp(reader->at, "KTEST", 5) != 0 && memcmp(reader->at, "BOUT\n", 5) != 0))
        return "it is not a .ktest file";
    reader->at += 5;
    reader->left -= 5;
    uint32_t version = read_u32(reader);
    if (!reader->failed && version > 3)
        return "its version is newer than 3";
    uint32_t arguments = read_u32(reader);
    for (uint32_t i = 0; i < arguments && !reader->failed; i++) {
        size_t size;
        free(read_block(reader, &size));
    }
    if (version >= 2) {
        read_u32(reader);
        read_u32(reader);
    }
    uint32_t count = read_u32(reader);
    /* An object takes 8 bytes at least: a count beyond that is a lie, and must not be allocated for. */
    if (reader->failed || count > reader->left / 8)
        return "it is truncated";
    test->objects = calloc(count ? count : 1, sizeof *test->objects);
    if (test->objects == NULL)
        return "there is no memory for it";
    for (test->count = 0; test->count < count; test->count++) {
        struct osier_object *object = &test->objects[test->count];
        size_t name_size;
        object->name = (char *)read_block(reader, &name_size);
        object->bytes = read_block(reader, &object->size);
        if (reader->failed)
            return "it is truncated";
    }
    return NULL;
}

const char *osier_read_test(const char *path, struct osier_test *test) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return "it cannot be opened";
    unsigned char *content = NULL;
    size_t size = 0, room = 0;
    for (;;) {
        if (size == room) {
            room = room ? room * 2 : 4096;
            unsigned char *larger = realloc(content, room);
            if (larger == NULL) {
                free(content);
                fclose(file);
                return "there is no memory for it";
            }
            content = larger;
        }
        size_t got = fread(content + size, 1, room - size, file);
        if (got == 0)
            break;
        size += got;
    }
    int unreadable = ferror(file);
    fclose(file);
    struct reader reader = {content, size, 0};
    const char *problem = unreadable ? "it cannot be read" : parse(&reader, test);
    free(content);
    return problem;
}

static int ends_with(const char *text, const char *end) {
    size_t text_size = strlen(text), end_size = strlen(end);
    return text_size >= end_size && strcmp(text + text_size - end_size, end) == 0;
}

/* A file's contents have its `struct stat` beside them, whatever the file is called. */
static int is_file_object(const struct osier_test *test, size_t index) {
    const char *name = test->objects[index].name;
    size_t size = strlen(name);
    if (isupper((unsigned char)name[0]) && name[1] == '-' && (ends_with(name, "-data") || ends_with(name, "-data-stat")))
        return 1;
    if (ends_with(name, "-data-stat"))
        return index > 0 && strncmp(test->objects[index - 1].name, name, size - strlen("-stat")) == 0 &&
               strlen(test->objects[index - 1].name) == size - strlen("-stat");
    return ends_with(name, "-data") && index + 1 < test->count &&
           strncmp(test->objects[index + 1].name, name, size) == 0 &&
           strcmp(test->objects[index + 1].name + size, "-stat") == 0;
}

int osier_is_environment_object(const struct osier_test *test, size_t index) {
    static const char *const whole[] = {"model_version", "n_args",    "stdin",          "stdin-stat",  "stdout",
                                        "stdout-stat",   "read_fail", "write_fail",     "close_fail",  "open_fail",
                                        "getcwd_fail",   "ftruncate_fail", "syscall_fail"};
    const char *name = test->objects[index].name;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(name, whole[i]) == 0)
            return 1;
    if (strncmp(name, "arg", 3) == 0 && isdigit((unsigned char)name[3]) && isdigit((unsigned char)name[4]) && !name[5])
        return 1;
    return is_file_object(test, index);
}
