// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O2 -g"
// Control words that stay as they are (gnulib's fpucw.h), the time stamp, system calls, and the question what the
// processor can do, asked around a register that position-independent code keeps.
#include <assert.h>

typedef unsigned short word;

static word get_control(void) {
  word control;
  __asm__ __volatile__("fnstcw %0" : "=m"(*&control));
  return control;
}

static void set_control(word control) { __asm__ __volatile__("fldcw %0" : : "m"(*&control)); }

static unsigned long long time_stamp(void) {
  unsigned low, high;
  __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
  return (unsigned long long)high << 32 | low;
}

static long write_call(int to, const void *from, unsigned long count) {
  long result;
  __asm__ __volatile__("syscall" : "=a"(result) : "a"(1), "D"(to), "S"(from), "d"(count) : "rcx", "r11", "memory");
  return result;
}

int main(void) {
  word before = get_control();
  assert((before & 0x0f3f) == 0x033f);
  set_control((before & ~0x300) | 0x300);
  volatile long double third = 1.0L / 3;
  set_control(before);
  assert(third * 3 == 1);
  unsigned both;
  __asm__ __volatile__("stmxcsr %0" : "=m"(both));
  assert((both & 0xffc0) == 0x1f80);
  both |= 1;
  __asm__ __volatile__("ldmxcsr %0" : : "m"(both));
  __asm__ __volatile__("fnclex; fwait; cld");
  unsigned short status = 1;
  __asm__ __volatile__("fnstsw %0" : "=a"(status));
  assert((status & 0x3f) == 0);
  unsigned long long first = time_stamp();
  assert(time_stamp() > first);
  unsigned features = 0;
  for (unsigned leaf = 0; leaf < 2; leaf++) {
    unsigned a = leaf, b, c, d;
    __asm__("xchg{q} {%%rbx,%q1|%q1,rbx}\n\tcpuid\n\txchg{q} {%%rbx,%q1|%q1,rbx}"
            : "+a"(a), "=&r"(b), "=c"(c), "=d"(d));
    assert(a >= 1 && (b | c | d) != 0);
    features = d;
  }
  assert(features & 1 << 26);
  assert(write_call(1, "hi\n", 3) == 3 && write_call(-1, "", 0) == -9);
  return 0;
}
//~ paths: 1
//~ output: hi\n
