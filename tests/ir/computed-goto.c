// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <klee/klee.h>
int main(void) {
  static void *const code[] = {&&add, &&twice, &&stop};
  unsigned char program[3];
  klee_make_symbolic(program, sizeof program, "program");
  for (int i = 0; i < 2; i++)
    klee_assume(program[i] < 3);
  program[2] = 2;
  int value = 1, pc = 0;
  goto *code[program[pc++]];
add:
  value += 3;
  goto *code[program[pc++]];
twice:
  value *= 2;
  goto *code[program[pc++]];
stop:
  return value;
}
//~ paths: 7
//~ exits: 1*1 2*1 4*2 5*1 7*1 8*1
