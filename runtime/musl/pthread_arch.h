/* The thread pointer of the one thread. Stands in front of musl's own header of this name. */
#include <stdint.h>

struct __pthread;
extern struct __pthread __osier_thread;

static inline uintptr_t __get_tp(void) { return (uintptr_t)&__osier_thread; }

#define MC_PC gregs[REG_RIP]
