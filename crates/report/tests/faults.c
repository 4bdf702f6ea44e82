// One program with one fault for each value of `which`; the lines that fault are marked with the kind's name.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

static int table[4];
static const char fixed[] = "abc";

static int recurse(volatile int depth) {
    char block[1000];
    block[depth % 1000] = 1;
    return recurse(depth + 1) + block[3];
}

static void poke(char *at, int index) {
    at[index] = 1; // poke
}

static char *stack_block(void) {
    char block[8];
    char *volatile escaped = block;
    return escaped;
}

int main(void) {
    int which;
    klee_make_symbolic(&which, sizeof which, "which");
    char *block = malloc(4);
    switch (which) {
    case 1: poke(block, 4); break;
    case 2: free(block); poke(block, 0); break;
    case 3: free(block); free(block); break; // double-free
    case 4: free(block + 1); break; // invalid-free
    case 5: poke(0, 3); break;
    case 6: poke((char *)fixed, 0); break;
    case 7: return 5 / (which - 7); // division-by-zero
    case 8: return 1 << (which + 32); // overshift
    case 9: abort(); // abort
    case 10: klee_assert(which != 10); break; // assertion
    case 11: block = 0; return 0;
    case 12: return recurse(0);
    case 13: klee_report_error("faults.c", 77, "bad thing", "x.err");
    case 14: return ((int (*)(void))(long)(which - 14))();
    case 15: __builtin_unreachable(); // unreachable
    case 16: memset(block, 0, 50); break; // out-of-bounds
    case 17: return table[which - 13]; // out-of-bounds-global
    case 18: poke(stack_block(), 0); break;
    case 19: which = 0x7fffffff + which; break; // signed-overflow
    case 20: klee_silent_exit(3);
    case 21: klee_assume(which != 21); break;
    case 22: klee_int("extra"); break;
    case 23: for (;;) {}
    case 24: klee_abort(); // klee-abort
    case 25: return klee_range(0, 3, "range");
    case 26: return (int)klee_choose(4);
    case 27: klee_make_symbolic(block, 4, "four"); return block[0];
    case 28: return (int)klee_get_obj_size(block) + (int)klee_is_replay();
    case 29: klee_check_memory_access(block, 5); break; // check-access
    default: break;
    }
    free(block);
    return which;
}
