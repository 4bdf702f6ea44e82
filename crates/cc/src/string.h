/* musl's <string.h>, and what programs look for in glibc's besides. */
#include_next <string.h>
#ifndef OSIER_STRING_H
#define OSIER_STRING_H
#ifdef _GNU_SOURCE
#ifdef __cplusplus
extern "C" {
#endif
void *rawmemchr(const void *, int);
#ifdef __cplusplus
}
#endif
#endif
#endif
