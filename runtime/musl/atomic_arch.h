/* One thread: compare and swap is a plain one. Stands in front of musl's own header of this name. */
#define a_cas a_cas
static inline int a_cas(volatile int *p, int expected, int wanted) {
  int old = *p;
  if (old == expected)
    *p = wanted;
  return old;
}

#define a_cas_p a_cas_p
static inline void *a_cas_p(volatile void *p, void *expected, void *wanted) {
  void *old = *(void *volatile *)p;
  if (old == expected)
    *(void *volatile *)p = wanted;
  return old;
}

#define a_barrier a_barrier
static inline void a_barrier(void) {}

#define a_crash a_crash
static inline void a_crash(void) { __builtin_trap(); }
