/* The functions that _FORTIFY_SOURCE puts in place of those on bytes, strings and descriptors: they know the size of
   what they write to. */
#define _GNU_SOURCE
#include "fortify.h"
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

_Noreturn void __fortify_fail(const char *what) {
  write(2, "*** ", 4);
  write(2, what, strlen(what));
  write(2, " ***: terminated\n", 17);
  abort();
}

_Noreturn void __chk_fail(void) { __fortify_fail("buffer overflow detected"); }

void *__memcpy_chk(void *to, const void *from, size_t count, size_t room) {
  fits(count, room);
  return memcpy(to, from, count);
}

void *__memmove_chk(void *to, const void *from, size_t count, size_t room) {
  fits(count, room);
  return memmove(to, from, count);
}

void *__mempcpy_chk(void *to, const void *from, size_t count, size_t room) {
  fits(count, room);
  return (char *)memcpy(to, from, count) + count;
}

void *__memset_chk(void *to, int byte, size_t count, size_t room) {
  fits(count, room);
  return memset(to, byte, count);
}

void explicit_bzero(void *at, size_t count) { memset(at, 0, count); }

void __explicit_bzero_chk(void *at, size_t count, size_t room) {
  fits(count, room);
  memset(at, 0, count);
}

/* Asks for the length only where there is something to compare it with. */
static void string_fits(const char *text, size_t before, size_t room) {
  if (room != (size_t)-1)
    fits(before + strlen(text) + 1, room);
}

char *__strcpy_chk(char *to, const char *from, size_t room) {
  string_fits(from, 0, room);
  return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t room) {
  string_fits(from, 0, room);
  return stpcpy(to, from);
}

char *__strcat_chk(char *to, const char *from, size_t room) {
  if (room != (size_t)-1)
    string_fits(from, strlen(to), room);
  return strcat(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t count, size_t room) {
  fits(count, room);
  return strncpy(to, from, count);
}

char *__stpncpy_chk(char *to, const char *from, size_t count, size_t room) {
  fits(count, room);
  return stpncpy(to, from, count);
}

char *__strncat_chk(char *to, const char *from, size_t count, size_t room) {
  if (room != (size_t)-1)
    fits(strlen(to) + strnlen(from, count) + 1, room);
  return strncat(to, from, count);
}

size_t __strlcpy_chk(char *to, const char *from, size_t count, size_t room) {
  fits(count, room);
  return strlcpy(to, from, count);
}

size_t __strlcat_chk(char *to, const char *from, size_t count, size_t room) {
  fits(count, room);
  return strlcat(to, from, count);
}

ssize_t __read_chk(int file, void *to, size_t count, size_t room) {
  fits(count, room);
  return read(file, to, count);
}

ssize_t __pread_chk(int file, void *to, size_t count, off_t at, size_t room) {
  fits(count, room);
  return pread(file, to, count, at);
}

ssize_t __pread64_chk(int file, void *to, size_t count, off_t at, size_t room) {
  return __pread_chk(file, to, count, at, room);
}

ssize_t __readlink_chk(const char *restrict path, char *restrict to, size_t count, size_t room) {
  fits(count, room);
  return readlink(path, to, count);
}

ssize_t __readlinkat_chk(int folder, const char *restrict path, char *restrict to, size_t count, size_t room) {
  fits(count, room);
  return readlinkat(folder, path, to, count);
}

char *__getcwd_chk(char *to, size_t count, size_t room) {
  fits(count, room);
  return getcwd(to, count);
}

char *getwd(char *to) {
  char whole[PATH_MAX];
  return getcwd(whole, sizeof whole) ? strcpy(to, whole) : 0;
}

char *__getwd_chk(char *to, size_t room) {
  char *here = getcwd(to, room);
  if (!here && room < PATH_MAX)
    __chk_fail();
  return here;
}

size_t __confstr_chk(int name, char *to, size_t count, size_t room) {
  fits(count, room);
  return confstr(name, to, count);
}

int __getgroups_chk(int count, gid_t *to, size_t room) {
  if (count > 0)
    fits((size_t)count * sizeof *to, room);
  return getgroups(count, to);
}

int __ttyname_r_chk(int file, char *to, size_t count, size_t room) {
  fits(count, room);
  return ttyname_r(file, to, count);
}

int __ptsname_r_chk(int file, char *to, size_t count, size_t room) {
  fits(count, room);
  return ptsname_r(file, to, count);
}

int __getlogin_r_chk(char *to, size_t count, size_t room) {
  fits(count, room);
  return getlogin_r(to, count);
}

int __gethostname_chk(char *to, size_t count, size_t room) {
  fits(count, room);
  return gethostname(to, count);
}

int __getdomainname_chk(char *to, size_t count, size_t room) {
  fits(count, room);
  return getdomainname(to, count);
}

char *__realpath_chk(const char *path, char *to, size_t room) {
  if (room < PATH_MAX)
    __chk_fail();
  return realpath(path, to);
}

/* These are for calls without a mode, which must not create. */
static void without_mode(int flags) {
  if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE)
    __fortify_fail("invalid open call: O_CREAT or O_TMPFILE without mode");
}

int __open_2(const char *path, int flags) {
  without_mode(flags);
  return open(path, flags);
}

int __open64_2(const char *path, int flags) { return __open_2(path, flags); }

int __openat_2(int folder, const char *path, int flags) {
  without_mode(flags);
  return openat(folder, path, flags);
}

int __openat64_2(int folder, const char *path, int flags) { return __openat_2(folder, path, flags); }

int __poll_chk(struct pollfd *files, nfds_t count, int timeout, size_t room) {
  fits(count, room / sizeof *files);
  return poll(files, count, timeout);
}

int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask, size_t room) {
  fits(count, room / sizeof *files);
  return ppoll(files, count, timeout, mask);
}

long __fdelt_chk(long file) {
  if (file < 0 || file >= FD_SETSIZE)
    __chk_fail();
  return file / (8 * (long)sizeof(long));
}

long __fdelt_warn(long file) { return __fdelt_chk(file); }

ssize_t __recv_chk(int socket, void *to, size_t count, size_t room, int flags) {
  fits(count, room);
  return recv(socket, to, count, flags);
}

ssize_t __recvfrom_chk(int socket, void *restrict to, size_t count, size_t room, int flags,
                       struct sockaddr *restrict from, socklen_t *restrict from_size) {
  fits(count, room);
  return recvfrom(socket, to, count, flags, from, from_size);
}
