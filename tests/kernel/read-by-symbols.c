// run: --sym-files 1 4
// How much is read depends on symbols: what is asked for behind the end of the file makes no difference.
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
  int fd = open("A", O_RDWR);
  unsigned char header[2], bytes[256];
  read(fd, header, 2);
  if (lseek(fd, -(off_t)header[0], SEEK_END) < 0)
    return errno == EINVAL ? 10 : 11;
  if (header[0] == 3) {
    // Two bytes and one, if so much is asked for.
    struct iovec parts[2] = {{bytes, header[1]}, {bytes + 128, 1}};
    return 20 + readv(fd, parts, 2);
  }
  if (header[0] == 2)
    return pread(fd, bytes, 3, header[1]) + 30;
  if (header[0] == 1) {
    lseek(fd, header[1] & 3, SEEK_SET);
    write(fd, "x", 1);
    return lseek(fd, 0, SEEK_CUR) + 40;
  }
  return read(fd, bytes, header[1]);
}
//~ exits: 0*2 1*1 2*1 3*1 4*1 10*1 21*1 22*1 23*2 30*1 31*1 32*1 33*2 41*1 42*1 43*1 44*1
