// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
#include <stdatomic.h>
static atomic_int counter = 5;
static _Atomic unsigned char small = 250;
static _Atomic(long *) pointer;
int main(void) {
  assert(atomic_fetch_add(&counter, 3) == 5 && atomic_load(&counter) == 8);
  assert(atomic_fetch_sub(&counter, 1) == 8 && atomic_fetch_or(&counter, 8) == 7);
  assert(atomic_fetch_and(&counter, 12) == 15 && atomic_fetch_xor(&counter, 1) == 12);
  assert(atomic_exchange(&counter, 20) == 13);
  int expected = 20;
  assert(atomic_compare_exchange_strong(&counter, &expected, 21) && counter == 21);
  assert(!atomic_compare_exchange_strong(&counter, &expected, 22) && expected == 21);
  small += 10;
  assert(small == 4);
  static long l[2];
  atomic_store(&pointer, &l[1]);
  assert(atomic_load_explicit(&pointer, memory_order_acquire) == &l[1]);
  atomic_thread_fence(memory_order_seq_cst);
  assert(__atomic_fetch_min(&l[0], -4, __ATOMIC_RELAXED) == 0 && l[0] == -4);
  return 0;
}
//~ paths: 1
