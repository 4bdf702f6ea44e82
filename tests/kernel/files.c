// Files, folders and descriptors live in memory and behave as Linux's do.
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuses(int result, int number) { return result == -1 && errno == number; }

int main(void) {
  char text[64];
  assert(mkdir("room", 0755) == 0 && refuses(mkdir("room", 0755), EEXIST));
  assert(refuses(mkdir("no/room", 0755), ENOENT) && refuses(open("room", O_WRONLY), EISDIR));
  int fd = open("room/notes", O_CREAT | O_EXCL | O_RDWR, 0666);
  assert(fd == 3 && refuses(open("room/notes", O_CREAT | O_EXCL | O_RDWR, 0666), EEXIST));
  assert(write(fd, "0123456789", 10) == 10 && lseek(fd, 2, SEEK_SET) == 2 && read(fd, text, 3) == 3);
  assert(memcmp(text, "234", 3) == 0 && lseek(fd, 0, SEEK_CUR) == 5 && lseek(fd, -1, SEEK_END) == 9);
  assert(refuses(lseek(fd, -1, SEEK_SET), EINVAL) && pwrite(fd, "xy", 2, 12) == 2 && lseek(fd, 0, SEEK_CUR) == 9);
  assert(pread(fd, text, 64, 9) == 5 && memcmp(text, "9\0\0xy", 5) == 0);
  struct stat about;
  assert(fstat(fd, &about) == 0 && about.st_size == 14 && S_ISREG(about.st_mode) && (about.st_mode & 0777) == 0644);
  assert(ftruncate(fd, 4) == 0 && stat("room//./notes", &about) == 0 && about.st_size == 4);
  int other = dup(fd);
  assert(lseek(other, 1, SEEK_SET) == 1 && lseek(fd, 0, SEEK_CUR) == 1 && dup2(fd, 9) == 9);
  assert(close(fd) == 0 && refuses(close(fd), EBADF) && read(9, text, 64) == 3 && memcmp(text, "123", 3) == 0);

  int more = open("room/notes", O_WRONLY | O_APPEND);
  assert(write(more, "!", 1) == 1 && refuses(read(more, text, 1), EBADF) && fcntl(more, F_GETFL) & O_APPEND);
  assert(link("room/notes", "again") == 0 && stat("again", &about) == 0 && about.st_nlink == 2 && about.st_size == 5);
  assert(symlink("room/notes", "sign") == 0 && lstat("sign", &about) == 0 && S_ISLNK(about.st_mode));
  assert(stat("sign", &about) == 0 && about.st_size == 5 && readlink("sign", text, 64) == 10);
  assert(symlink("loop", "loop") == 0 && refuses(open("loop", O_RDONLY), ELOOP));
  assert(rename("again", "room/moved") == 0 && refuses(access("again", F_OK), ENOENT));
  assert(refuses(rmdir("room"), ENOTEMPTY) && refuses(unlink("room"), EISDIR) && refuses(rmdir("sign"), ENOTDIR));
  assert(refuses(open("sign/x", O_RDONLY), ENOTDIR) && refuses(open("", O_RDONLY), ENOENT));

  assert(chdir("room") == 0 && strcmp(getcwd(text, sizeof text), "/room") == 0 && access("../sign", R_OK) == 0);
  DIR *room = opendir(".");
  int entries = 0;
  for (struct dirent *entry; (entry = readdir(room));)
    entries += entry->d_type == DT_REG ? 10 : 1;
  assert(closedir(room) == 0 && entries == 22);
  assert(unlink("moved") == 0 && unlink("notes") == 0 && chdir("..") == 0 && rmdir("room") == 0);
  assert(lseek(9, 0, SEEK_SET) == 0 && read(9, text, 64) == 5);

  FILE *stream = fopen("lines", "w+");
  fprintf(stream, "%s %d\n", "line", 7);
  rewind(stream);
  int number = 0;
  assert(fscanf(stream, "%63s %d", text, &number) == 2 && number == 7 && fclose(stream) == 0);
  return 0;
}
//~ paths: 1
//~ replay: no, a native build of a source has no root of its own
//~ exits: 0
