/* Stacks of objects, in the layout that glibc's <obstack.h> lays down: its macros do the common work inline. */
#define _GNU_SOURCE
#include <libintl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct _obstack_chunk {
  char *limit;
  struct _obstack_chunk *prev;
  char contents[4];
};

struct obstack {
  long chunk_size;
  struct _obstack_chunk *chunk;
  char *object_base;
  char *next_free;
  char *chunk_limit;
  union {
    long number;
    void *pointer;
  } temporary;
  int alignment_mask;
  struct _obstack_chunk *(*chunkfun)(void *, long);
  void (*freefun)(void *, struct _obstack_chunk *);
  void *extra_arg;
  unsigned use_extra_arg : 1;
  unsigned maybe_empty_object : 1;
  unsigned alloc_failed : 1;
};

int obstack_exit_failure = EXIT_FAILURE;

static _Noreturn void out_of_memory(void) {
  fprintf(stderr, "%s\n", gettext("memory exhausted"));
  exit(obstack_exit_failure);
}
void (*obstack_alloc_failed_handler)(void) = out_of_memory;

static struct _obstack_chunk *new_chunk(struct obstack *h, long size) {
  struct _obstack_chunk *chunk =
      h->use_extra_arg ? h->chunkfun(h->extra_arg, size) : ((void *(*)(long))(uintptr_t)h->chunkfun)(size);
  if (!chunk)
    obstack_alloc_failed_handler();
  chunk->limit = (char *)chunk + size;
  return chunk;
}

static void free_chunk(struct obstack *h, struct _obstack_chunk *chunk) {
  if (h->use_extra_arg)
    h->freefun(h->extra_arg, chunk);
  else
    ((void (*)(void *))(uintptr_t)h->freefun)(chunk);
}

static char *aligned(struct obstack *h, char *at) {
  return at + (-(uintptr_t)at & (unsigned)h->alignment_mask);
}

static int begin(struct obstack *h, int size, int alignment) {
  h->alignment_mask = (alignment ? alignment : (int)_Alignof(long double)) - 1;
  /* A page, less what an allocator may put around it. */
  h->chunk_size = size ? size : 4064;
  h->chunk = new_chunk(h, h->chunk_size);
  h->chunk->prev = 0;
  h->object_base = h->next_free = aligned(h, h->chunk->contents);
  h->chunk_limit = h->chunk->limit;
  h->maybe_empty_object = 0;
  h->alloc_failed = 0;
  return 1;
}

int _obstack_begin(struct obstack *h, int size, int alignment, void *(*allocate)(long), void (*release)(void *)) {
  h->chunkfun = (struct _obstack_chunk * (*)(void *, long))(uintptr_t)allocate;
  h->freefun = (void (*)(void *, struct _obstack_chunk *))(uintptr_t)release;
  h->extra_arg = 0;
  h->use_extra_arg = 0;
  return begin(h, size, alignment);
}

int _obstack_begin_1(struct obstack *h, int size, int alignment, void *(*allocate)(void *, long),
                     void (*release)(void *, void *), void *extra) {
  h->chunkfun = (struct _obstack_chunk * (*)(void *, long))(uintptr_t)allocate;
  h->freefun = (void (*)(void *, struct _obstack_chunk *))(uintptr_t)release;
  h->extra_arg = extra;
  h->use_extra_arg = 1;
  return begin(h, size, alignment);
}

/* Moves the object that grows into a chunk with room for `more` bytes, and some. */
void _obstack_newchunk(struct obstack *h, int more) {
  struct _obstack_chunk *old = h->chunk;
  long length = h->next_free - h->object_base;
  long wanted = length + more + length / 8 + h->alignment_mask + 100;
  struct _obstack_chunk *chunk = new_chunk(h, wanted > h->chunk_size ? wanted : h->chunk_size);
  char *base = aligned(h, chunk->contents);
  memcpy(base, h->object_base, length);
  chunk->prev = old;
  if (!h->maybe_empty_object && h->object_base == aligned(h, old->contents)) {
    chunk->prev = old->prev;
    free_chunk(h, old);
  }
  h->chunk = chunk;
  h->chunk_limit = chunk->limit;
  h->object_base = base;
  h->next_free = base + length;
  h->maybe_empty_object = 0;
}

static int holds(struct _obstack_chunk *chunk, void *object) {
  return (uintptr_t)chunk < (uintptr_t)object && (uintptr_t)object <= (uintptr_t)chunk->limit;
}

int _obstack_allocated_p(struct obstack *h, void *object) {
  struct _obstack_chunk *chunk = h->chunk;
  while (chunk && !holds(chunk, object))
    chunk = chunk->prev;
  return chunk != 0;
}

/* An object and all that came after it; everything, for none. */
void obstack_free(struct obstack *h, void *object) {
  struct _obstack_chunk *chunk = h->chunk;
  while (chunk && !holds(chunk, object)) {
    struct _obstack_chunk *before = chunk->prev;
    free_chunk(h, chunk);
    chunk = before;
    h->maybe_empty_object = 1;
  }
  if (chunk) {
    h->object_base = h->next_free = object;
    h->chunk_limit = chunk->limit;
    h->chunk = chunk;
  } else if (object)
    abort();
}
void _obstack_free(struct obstack *h, void *object) { obstack_free(h, object); }

int _obstack_memory_used(struct obstack *h) {
  long bytes = 0;
  for (struct _obstack_chunk *chunk = h->chunk; chunk; chunk = chunk->prev)
    bytes += chunk->limit - (char *)chunk;
  return bytes;
}

int obstack_vprintf(struct obstack *h, const char *format, va_list list) {
  char *text;
  int length = vasprintf(&text, format, list);
  if (length < 0)
    return length;
  if (h->chunk_limit - h->next_free < length)
    _obstack_newchunk(h, length);
  memcpy(h->next_free, text, length);
  h->next_free += length;
  free(text);
  return length;
}

int obstack_printf(struct obstack *h, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = obstack_vprintf(h, format, list);
  va_end(list);
  return length;
}
