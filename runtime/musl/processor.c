/* What compilers look at for __builtin_cpu_supports, in the layout of libgcc and compiler-rt: the processor of
   runtime/include/cpuid.h, which has what every x86-64 has and nothing more. */
enum { OTHER_VENDOR = 3, CMOV = 0, MMX = 1, SSE = 3, SSE2 = 4, BASELINE = 95 };

struct {
  unsigned vendor, type, subtype, features;
} __cpu_model = {OTHER_VENDOR, 0, 0, 1 << CMOV | 1 << MMX | 1 << SSE | 1 << SSE2};

/* From feature 32 on. */
unsigned __cpu_features2[3] = {0, 1u << (BASELINE - 64), 0};

int __cpu_indicator_init(void) { return 0; }
