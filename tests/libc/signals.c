#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile sig_atomic_t seen;
static void count(int number) { seen += number; }
int main(void) {
  struct sigaction action = {.sa_handler = count}, old;
  sigaction(SIGUSR1, &action, 0);
  raise(SIGUSR1);
  kill(getpid(), SIGUSR1);
  signal(SIGTERM, SIG_IGN);
  raise(SIGTERM);
  sigaction(SIGUSR1, 0, &old);
  printf("%d %d\n", seen, old.sa_handler == count);
  return 0;
}
//~ output: 20 1\n
//~ exits: 0
