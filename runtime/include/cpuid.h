/* <cpuid.h> for programs that are to do the same wherever they run. Answers come from here and not from the machine: a
   processor with what every x86-64 has and nothing more, the one that Osier executes programs on. So a path that depends
   on the processor is the path of the native program, too. The instruction itself, written as assembly, gets the same
   answers under Osier and the machine's natively. */
#ifndef OSIER_CPUID_H
#define OSIER_CPUID_H
#pragma GCC system_header
#include_next <cpuid.h>

static __inline void __osier_cpuid(unsigned __leaf, unsigned __answer[4]) {
  unsigned __a = 0, __b = 0, __c = 0, __d = 0;
  switch (__leaf) {
  case 0: /* leaves up to 1, "Osier x86-64" */
    __a = 1, __b = 0x6569734f, __d = 0x38782072, __c = 0x34362d36;
    break;
  case 1: /* FPU, TSC, CMPXCHG8B, CMOV, MMX, FXSR, SSE, SSE2 */
    __a = 0xf00, __d = 0x07808111;
    break;
  case 0x80000000u:
    __a = 0x80000001u;
    break;
  case 0x80000001u: /* SYSCALL, 64 bits */
    __d = 0x20000800;
    break;
  }
  __answer[0] = __a, __answer[1] = __b, __answer[2] = __c, __answer[3] = __d;
}

#undef __cpuid
#define __cpuid(__leaf, __eax, __ebx, __ecx, __edx)                                                                     \
  do {                                                                                                                  \
    unsigned __osier_answer[4];                                                                                         \
    __osier_cpuid((__leaf), __osier_answer);                                                                            \
    (__eax) = __osier_answer[0], (__ebx) = __osier_answer[1];                                                           \
    (__ecx) = __osier_answer[2], (__edx) = __osier_answer[3];                                                           \
  } while (0)

#undef __cpuid_count
#define __cpuid_count(__leaf, __count, __eax, __ebx, __ecx, __edx)                                                      \
  do {                                                                                                                  \
    (void)(__count);                                                                                                    \
    __cpuid(__leaf, __eax, __ebx, __ecx, __edx);                                                                        \
  } while (0)

static __inline unsigned __osier_cpuid_max(unsigned __leaf, unsigned *__signature) {
  unsigned __answer[4];
  __osier_cpuid(__leaf, __answer);
  if (__signature)
    *__signature = __answer[1];
  return __answer[0];
}

static __inline int __osier_get_cpuid(unsigned __leaf, unsigned *__eax, unsigned *__ebx, unsigned *__ecx,
                                      unsigned *__edx) {
  if (__osier_cpuid_max(__leaf & 0x80000000u, 0) < __leaf)
    return 0;
  __cpuid(__leaf, *__eax, *__ebx, *__ecx, *__edx);
  return 1;
}

static __inline int __osier_get_cpuid_count(unsigned __leaf, unsigned __count, unsigned *__eax, unsigned *__ebx,
                                            unsigned *__ecx, unsigned *__edx) {
  (void)__count;
  return __osier_get_cpuid(__leaf, __eax, __ebx, __ecx, __edx);
}

static __inline void __osier_cpuidex(int __answer[4], int __leaf, int __count) {
  (void)__count;
  __osier_cpuid((unsigned)__leaf, (unsigned *)__answer);
}

#define __get_cpuid_max __osier_cpuid_max
#define __get_cpuid __osier_get_cpuid
#define __get_cpuid_count __osier_get_cpuid_count
#define __cpuidex __osier_cpuidex
#endif
