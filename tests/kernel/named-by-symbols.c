// run: --sym-arg 3 --sym-files 1 2
// A path of symbolic bytes has as many outcomes as there are things that it can name.
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct stat about;
  int fd = open(argv[1], O_RDONLY);
  if (fd < 0)
    return errno == ENOENT ? 1 : errno == ENOTDIR ? 2 : 3;
  fstat(fd, &about);
  if (S_ISDIR(about.st_mode))
    return 4;
  char bytes[3];
  return read(fd, bytes, 3) == 2 && about.st_size == 2 ? 5 : 6;
}
//~ exits: 1*1 2*1 4*1 5*1
//~ test: arg00="A/"
