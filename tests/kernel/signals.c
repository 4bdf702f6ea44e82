// Signals that a process sends to itself.
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int seen;
static void handler(int number) { seen = number; }

int main(void) {
  struct sigaction old;
  assert(signal(SIGUSR1, handler) == SIG_DFL && raise(SIGUSR1) == 0 && seen == SIGUSR1);
  assert(sigaction(SIGUSR1, 0, &old) == 0 && old.sa_handler == handler);
  assert(kill(getpid(), 0) == 0 && signal(SIGTERM, SIG_IGN) == SIG_DFL && kill(getpid(), SIGTERM) == 0);
  assert(raise(SIGCHLD) == 0);
  return seen;
}
//~ exits: 10
