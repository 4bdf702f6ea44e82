// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O2 -g"
// Atomic instructions as in APR, gnulib's spin locks and gprofng.
#include <assert.h>
#include <stdint.h>

static uint32_t add32(volatile uint32_t *place, uint32_t value) {
  asm volatile("lock; xaddl %0,%1" : "=r"(value), "=m"(*place) : "0"(value), "m"(*place) : "memory", "cc");
  return value;
}

static unsigned char dec32(volatile uint32_t *place) {
  unsigned char left;
  asm volatile("lock; decl %0; setnz %1" : "=m"(*place), "=qm"(left) : "m"(*place) : "memory");
  return left;
}

static uint32_t cas32(volatile uint32_t *place, uint32_t with, uint32_t expected) {
  uint32_t before;
  asm volatile("lock; cmpxchgl %1, %2" : "=a"(before) : "r"(with), "m"(*place), "0"(expected) : "memory", "cc");
  return before;
}

static unsigned spin_cas(volatile unsigned *place, unsigned expected, unsigned with) {
  unsigned before;
  asm volatile(" lock\n cmpxchgl %3,(%1)" : "=a"(before) : "r"(place), "a"(expected), "r"(with) : "memory");
  return before;
}

static void *casptr(void *volatile *place, void *with, void *expected) {
  void *before;
  asm volatile("lock; cmpxchgq %q2, %1"
               : "=a"(before), "=m"(*place)
               : "r"((unsigned long)with), "m"(*place), "0"((unsigned long)expected));
  return before;
}

static void *xchgptr(void *volatile *place, void *with) {
  void *before;
  asm volatile("xchgq %q2, %1" : "=a"(before), "+m"(*place) : "0"(with));
  return before;
}

static uint32_t sub_and_fetch(volatile uint32_t *place, uint32_t by) {
  uint32_t result;
  asm volatile("movl %2, %0; negl %0; lock; xaddl %0, %1" : "=&r"(result), "+m"(*place) : "r"(by));
  return result - by;
}

static int cas_pair(volatile unsigned __int128 *place, uint64_t expected[2], uint64_t high, uint64_t low) {
  unsigned char done;
  asm volatile("lock; cmpxchg16b %1; setz %0"
               : "=q"(done), "+m"(*place), "+a"(expected[0]), "+d"(expected[1])
               : "b"(low), "c"(high) : "cc", "memory");
  return done;
}

int main(void) {
  volatile uint32_t n = 5;
  assert(add32(&n, 3) == 5 && n == 8);
  asm volatile("lock; subl %1, %0" : : "m"(n), "r"(6) : "memory", "cc");
  asm volatile("lock; incl %0" : "+m"(n));
  asm volatile("lock; orl %1,%0" : "+m"(n) : "ir"(8));
  asm volatile("lock; andl $-10,%0" : "+m"(n));
  assert(n == 2);
  assert(dec32(&n) == 1 && dec32(&n) == 0 && n == 0);
  assert(cas32(&n, 7, 1) == 0 && n == 0 && cas32(&n, 7, 0) == 0 && n == 7);
  assert(spin_cas(&n, 7, 9) == 7 && spin_cas(&n, 7, 10) == 9 && n == 9);
  assert(sub_and_fetch(&n, 4) == 5 && n == 5);
  int x, y;
  void *volatile p = &x;
  assert(casptr(&p, &y, &y) == &x && casptr(&p, &y, &x) == &x && p == &y);
  assert(xchgptr(&p, &x) == &y && p == &x);
  *(int *)p = 3;
  assert(x == 3);
  static volatile unsigned __int128 pair __attribute__((aligned(16)));
  uint64_t expected[2] = {1, 0};
  assert(!cas_pair(&pair, expected, 2, 3) && expected[0] == 0 && expected[1] == 0);
  assert(cas_pair(&pair, expected, 2, 3) && pair == ((unsigned __int128)2 << 64 | 3));
  asm volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
  asm volatile("rep; nop; pause; mfence\n\t# and a comment" ::: "memory");
  asm volatile("prefetcht0 %0" : : "m"(n));
  return 0;
}
//~ paths: 1
