#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static sigjmp_buf with, without;
static int blocked(void) {
  sigset_t now;
  sigprocmask(SIG_BLOCK, 0, &now);
  return sigismember(&now, SIGUSR1);
}
static void block(void) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigprocmask(SIG_BLOCK, &one, 0);
}
int main(void) {
  int value = sigsetjmp(with, 1);
  printf("%d %d, ", value, blocked());
  if (value == 0) {
    block();
    siglongjmp(with, 5);
  }
  value = sigsetjmp(without, 0);
  printf("%d %d, ", value, blocked());
  if (value == 0) {
    block();
    siglongjmp(without, 6);
  }
  puts("");
  return 0;
}
//~ output: 0 0, 5 0, 0 0, 6 1, \n
//~ exits: 0
