// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O2 -g"
// The arithmetic of longlong.h (GMP, gnulib, binutils) and its relatives.
#include <assert.h>
#include <stdint.h>

typedef uint64_t U;

static void umul_ppmm(U *high, U *low, U a, U b) {
  __asm__("mul{q} %3" : "=a"(*low), "=d"(*high) : "%0"(a), "rm"(b));
}

static void add_ssaaaa(U *high, U *low, U ah, U al, U bh, U bl) {
  __asm__("addq %5,%q1\n\tadcq %3,%q0" : "=r"(*high), "=&r"(*low) : "0"(ah), "rme"(bh), "%1"(al), "rme"(bl));
}

static void sub_ddmmss(U *high, U *low, U ah, U al, U bh, U bl) {
  __asm__("sub{q} {%5,%q1|%q1,%5}\n\tsbb{q} {%3,%q0|%q0,%3}"
          : "=r"(*high), "=&r"(*low) : "0"(ah), "rme"(bh), "1"(al), "rme"(bl));
}

static U udiv_qrnnd(U *rest, U high, U low, U by) {
  U quotient;
  __asm__("divq %4" : "=a"(quotient), "=d"(*rest) : "0"(low), "1"(high), "rm"(by));
  return quotient;
}

static int count_trailing_zeros(U x) {
  int count;
  __asm__("bsf\t%1, %q0" : "=r"(count) : "rm"(x));
  return count;
}

static U highest_bit(U x) {
  U place;
  __asm__("bsr\t%1,%0" : "=r"(place) : "rm"(x));
  return place;
}

static unsigned lowest_or(unsigned x, unsigned none) {
  __asm__("bsfl %1,%0" : "+r"(none) : "r"(x) : "cc");
  return none;
}

static void divisions(void) {
  U rest;
  assert(udiv_qrnnd(&rest, 1, 0, 3) == 0x5555555555555555u && rest == 1);
  int32_t low = -17, high = -1, by = 5;
  __asm__("idivl %2" : "+a"(low), "+d"(high) : "r"(by));
  assert(low == -3 && high == -2);
  uint16_t bytes = 1000;
  __asm__("divb %1" : "+a"(bytes) : "q"((unsigned char)7));
  assert(bytes == (1000 % 7 << 8 | 1000 / 7));
  long a = -7, d;
  __asm__("cqto" : "=d"(d) : "a"(a));
  assert(d == -1);
  __asm__("cltd" : "=d"(d) : "a"(7));
  assert(d == 0);
}

static void products(void) {
  long low = -3, high;
  __asm__("imulq %2" : "+a"(low), "=d"(high) : "r"(5L));
  assert(low == -15 && high == -1);
  unsigned x = 7;
  __asm__("imull %1,%0" : "+r"(x) : "r"(6));
  assert(x == 42);
  __asm__("imull $-2,%1,%0" : "=r"(x) : "r"(6));
  assert((int)x == -12);
  unsigned short wide = 200;
  __asm__("mulb %1" : "+a"(wide) : "q"((unsigned char)200));
  assert(wide == 40000);
}

static void bits(void) {
  unsigned x = 0x12345678;
  __asm__("bswap %0" : "+r"(x));
  assert(x == 0x78563412);
  U y = 1;
  __asm__("bswapq %0" : "+r"(y));
  assert(y == 1ul << 56);
  unsigned short half = 0x1234;
  __asm__("rorw $8, %w0" : "+r"(half));
  assert(half == 0x3412);
  __asm__("xchgb %b0,%h0" : "+Q"(half));
  assert(half == 0x1234);
  __asm__("roll %%cl,%0" : "+r"(x) : "c"((unsigned char)36));
  assert(x == 0x85634127);
  __asm__("rorl %b1,%0" : "+r"(x) : "cI"(4));
  assert(x == 0x78563412);
  __asm__("shldl $8,%1,%0" : "+r"(x) : "r"(0xab000000));
  assert(x == 0x563412ab);
  __asm__("shrdl $8,%1,%0" : "+r"(x) : "r"(0xcd));
  assert(x == 0xcd563412);
  unsigned char small = 0x81;
  __asm__("shrb %%cl,%0" : "+r"(small) : "c"(9));
  assert(small == 0);
  signed char negative = -128;
  __asm__("sarb $31,%0" : "+r"(negative));
  assert(negative == -1);
  __asm__("shl %0" : "+r"(x));
  assert(x == 0x9aac6824);
  U count;
  __asm__("btsl $3,%0; btrl %1,%0; btcl $33,%0" : "+r"(x) : "r"(2));
  assert(x == (((0x9aac6824u | 8) & ~4u) ^ 2));
  __asm__("xorl %k0,%k0; notq %0; negq %0; lea 8(%0),%0" : "=r"(count));
  assert(count == 9);
}

int main(void) {
  U high, low;
  umul_ppmm(&high, &low, 0xfedcba9876543210, 0x123456789abcdef0);
  assert(high == 0x121fa00ad77d7422 && low == 0x236d88fe5618cf00);
  add_ssaaaa(&high, &low, 1, ~0ul, 2, 1);
  assert(high == 4 && low == 0);
  sub_ddmmss(&high, &low, 4, 0, 2, 1);
  assert(high == 1 && low == ~0ul);
  assert(count_trailing_zeros(0x500) == 8 && highest_bit(0x500) == 10);
  assert(lowest_or(0, 99) == 99 && lowest_or(6, 99) == 1);
  U zeros;
  __asm__("rep; bsfq %1,%0" : "=r"(zeros) : "rm"(48ul));
  assert(zeros == 4);
  divisions();
  products();
  bits();
  long wide;
  __asm__("movsbq %1,%0" : "=r"(wide) : "q"((signed char)-2));
  assert(wide == -2);
  __asm__("movzwl %w1,%k0" : "=r"(wide) : "r"(0x12345));
  assert(wide == 0x2345);
  return 0;
}
//~ paths: 1
