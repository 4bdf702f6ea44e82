// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O2 -g"
// What the flags say about any two numbers, and the ways in which programs read them.
#include <assert.h>
#include <klee/klee.h>

static void flags(int a, int b) {
  unsigned char less, below, equal;
  __asm__("cmpl %4,%3; setl %0; setb %1; sete %2"
          : "=q"(less), "=q"(below), "=q"(equal) : "r"(a), "r"(b) : "cc");
  assert(less == (a < b) && below == ((unsigned)a < (unsigned)b) && equal == (a == b));
  int greater, overflows;
  __asm__("cmpl %2,%1" : "=@ccg"(greater) : "r"(a), "r"(b));
  assert(greater == (a > b));
  int sum = a, expected;
  __asm__("addl %2,%1" : "=@cco"(overflows), "+r"(sum) : "r"(b));
  assert(overflows == __builtin_add_overflow(a, b, &expected) && sum == expected);
  int difference = a;
  __asm__("subl %2,%1" : "=@cco"(overflows), "+r"(difference) : "r"(b));
  assert(overflows == __builtin_sub_overflow(a, b, &expected) && difference == expected);
  int smaller = a;
  __asm__("cmpl %1,%0; cmovgl %1,%0" : "+r"(smaller) : "r"(b));
  assert(smaller == (a < b ? a : b));
  unsigned mask;
  __asm__("cmpl %2,%1; sbbl %0,%0" : "=r"(mask) : "r"(a), "r"(b));
  assert(mask == ((unsigned)a < (unsigned)b ? ~0u : 0));
}

int main(void) {
  int a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  flags(a, b);
  return 0;
}
//~ exits: 0
