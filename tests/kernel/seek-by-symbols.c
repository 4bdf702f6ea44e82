// run: --sym-files 1 8
// A place in a file that depends on symbols: each place in it is a path of its own, all places behind its end are one.
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int fd = open("A", O_RDONLY);
  unsigned distance;
  char bytes[2];
  read(fd, &distance, 4);
  off_t place = lseek(fd, distance, SEEK_CUR);
  if (place != (off_t)distance + 4)
    return 8;
  ssize_t got = read(fd, bytes, 2);
  if (lseek(fd, 0, SEEK_CUR) != place + got)
    return 9;
  return got;
}
//~ exits: 0*1 1*1 2*3
