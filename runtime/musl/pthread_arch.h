/* The thread pointer of the one thread. Stands in front of musl's own header of this name. */
#include <stdint.h>

uintptr_t __osier_thread_pointer(void);

static inline uintptr_t __get_tp(void) { return __osier_thread_pointer(); }

#define MC_PC gregs[REG_RIP]
