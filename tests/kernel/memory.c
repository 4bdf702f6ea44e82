// Mappings, anonymous and of files.
#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  char *page = mmap(0, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(page != MAP_FAILED && ((unsigned long)page & 4095) == 0 && page[8191] == 0);
  page[8191] = 1;
  int fd = open("data", O_RDWR | O_CREAT, 0600);
  assert(write(fd, "contents", 8) == 8);
  char *view = mmap(0, 8, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  assert(memcmp(view, "contents", 9) == 0);
  view[0] = 'C';
  char byte;
  assert(pread(fd, &byte, 1, 0) == 1 && byte == 'c' && munmap(view, 8) == 0 && munmap(page, 5000) == 0);
  return 0;
}
//~ exits: 0
