/* What the functions that _FORTIFY_SOURCE calls have in common. */
#include <stddef.h>

_Noreturn void __chk_fail(void);

static inline void fits(size_t wanted, size_t room) {
  if (wanted > room)
    __chk_fail();
}
