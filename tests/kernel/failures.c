// run: --max-fail 1 --devices
// One system call, any of them, may fail.
//~ replay: no, nothing makes a native call fail
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int fd = open("/dev/null", O_WRONLY);
  if (fd < 0)
    return errno == ENFILE ? 1 : 9;
  if (write(fd, "a", 1) != 1)
    return errno == EIO && write(fd, "b", 1) == 1 ? 2 : 9;
  if (write(fd, "a", 1) != 1)
    return 3;
  return close(fd) == 0 ? 0 : 4;
}
//~ exits: 0*1 1*1 2*1 3*1 4*1
