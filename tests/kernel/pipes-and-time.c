// A pipe to oneself, the clock, and who one is.
#include <assert.h>
#include <poll.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char text[8];
  assert(pipe(ends) == 0 && write(ends[1], "water", 5) == 5);
  struct pollfd ready = {.fd = ends[0], .events = POLLIN};
  assert(poll(&ready, 1, 0) == 1 && ready.revents == POLLIN);
  assert(read(ends[0], text, 2) == 2 && close(ends[1]) == 0 && read(ends[0], text, 8) == 3 && read(ends[0], text, 8) == 0);
  assert(lseek(ends[0], 0, SEEK_SET) == -1 && isatty(1) == 0);
  struct timespec before, after, pause = {.tv_sec = 0, .tv_nsec = 1000000};
  clock_gettime(CLOCK_MONOTONIC, &before);
  nanosleep(&pause, 0);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert((after.tv_sec - before.tv_sec) * 1000000000L + after.tv_nsec - before.tv_nsec >= 1000000);
  struct utsname name;
  assert(uname(&name) == 0 && strcmp(name.sysname, "Linux") == 0 && getuid() == geteuid() && fork() == -1);
  return 0;
}
//~ exits: 0
//~ replay: no, the native program can fork
