/* The texts of errors and signals, where glibc's are not musl's. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char *const texts[] = {
    [0] = "Success",
    [EIO] = "Input/output error",
    [ECHILD] = "No child processes",
    [ENOMEM] = "Cannot allocate memory",
    [EBUSY] = "Device or resource busy",
    [EXDEV] = "Invalid cross-device link",
    [EMFILE] = "Too many open files",
    [ENOTTY] = "Inappropriate ioctl for device",
    [ESPIPE] = "Illegal seek",
    [EDOM] = "Numerical argument out of domain",
    [ERANGE] = "Numerical result out of range",
    [EDEADLK] = "Resource deadlock avoided",
    [ENAMETOOLONG] = "File name too long",
    [ELOOP] = "Too many levels of symbolic links",
    [ECHRNG] = "Channel number out of range",
    [EL2NSYNC] = "Level 2 not synchronized",
    [EL3HLT] = "Level 3 halted",
    [EL3RST] = "Level 3 reset",
    [ELNRNG] = "Link number out of range",
    [EUNATCH] = "Protocol driver not attached",
    [ENOCSI] = "No CSI structure available",
    [EL2HLT] = "Level 2 halted",
    [EBADE] = "Invalid exchange",
    [EBADR] = "Invalid request descriptor",
    [EXFULL] = "Exchange full",
    [ENOANO] = "No anode",
    [EBADRQC] = "Invalid request code",
    [EBADSLT] = "Invalid slot",
    [EBFONT] = "Bad font file format",
    [ETIME] = "Timer expired",
    [ENONET] = "Machine is not on the network",
    [ENOPKG] = "Package not installed",
    [EREMOTE] = "Object is remote",
    [EADV] = "Advertise error",
    [ESRMNT] = "Srmount error",
    [ECOMM] = "Communication error on send",
    [EDOTDOT] = "RFS specific error",
    [EOVERFLOW] = "Value too large for defined data type",
    [ENOTUNIQ] = "Name not unique on network",
    [EREMCHG] = "Remote address changed",
    [ELIBACC] = "Can not access a needed shared library",
    [ELIBBAD] = "Accessing a corrupted shared library",
    [ELIBSCN] = ".lib section in a.out corrupted",
    [ELIBMAX] = "Attempting to link in too many shared libraries",
    [ELIBEXEC] = "Cannot exec a shared library directly",
    [EILSEQ] = "Invalid or incomplete multibyte or wide character",
    [ERESTART] = "Interrupted system call should be restarted",
    [ESTRPIPE] = "Streams pipe error",
    [EUSERS] = "Too many users",
    [ENOTSOCK] = "Socket operation on non-socket",
    [EMSGSIZE] = "Message too long",
    [EOPNOTSUPP] = "Operation not supported",
    [EADDRINUSE] = "Address already in use",
    [EADDRNOTAVAIL] = "Cannot assign requested address",
    [ENETUNREACH] = "Network is unreachable",
    [ENETRESET] = "Network dropped connection on reset",
    [ECONNABORTED] = "Software caused connection abort",
    [EISCONN] = "Transport endpoint is already connected",
    [ENOTCONN] = "Transport endpoint is not connected",
    [ESHUTDOWN] = "Cannot send after transport endpoint shutdown",
    [ETOOMANYREFS] = "Too many references: cannot splice",
    [ETIMEDOUT] = "Connection timed out",
    [EHOSTUNREACH] = "No route to host",
    [EINPROGRESS] = "Operation now in progress",
    [EUCLEAN] = "Structure needs cleaning",
    [ENOTNAM] = "Not a XENIX named type file",
    [ENAVAIL] = "No XENIX semaphores available",
    [EISNAM] = "Is a named type file",
    [EDQUOT] = "Disk quota exceeded",
    [EOWNERDEAD] = "Owner died",
    [ERFKILL] = "Operation not possible due to RF-kill",
    [EHWPOISON] = "Memory page has hardware error",
};

/* The names of all errors, in their order. */
static const char *const names[] = {
    [0] = "0", [EPERM] = "EPERM", [ENOENT] = "ENOENT", [ESRCH] = "ESRCH", [EINTR] = "EINTR", [EIO] = "EIO",
    [ENXIO] = "ENXIO", [E2BIG] = "E2BIG", [ENOEXEC] = "ENOEXEC", [EBADF] = "EBADF", [ECHILD] = "ECHILD",
    [EAGAIN] = "EAGAIN", [ENOMEM] = "ENOMEM", [EACCES] = "EACCES", [EFAULT] = "EFAULT", [ENOTBLK] = "ENOTBLK",
    [EBUSY] = "EBUSY", [EEXIST] = "EEXIST", [EXDEV] = "EXDEV", [ENODEV] = "ENODEV", [ENOTDIR] = "ENOTDIR",
    [EISDIR] = "EISDIR", [EINVAL] = "EINVAL", [ENFILE] = "ENFILE", [EMFILE] = "EMFILE", [ENOTTY] = "ENOTTY",
    [ETXTBSY] = "ETXTBSY", [EFBIG] = "EFBIG", [ENOSPC] = "ENOSPC", [ESPIPE] = "ESPIPE", [EROFS] = "EROFS",
    [EMLINK] = "EMLINK", [EPIPE] = "EPIPE", [EDOM] = "EDOM", [ERANGE] = "ERANGE", [EDEADLK] = "EDEADLK",
    [ENAMETOOLONG] = "ENAMETOOLONG", [ENOLCK] = "ENOLCK", [ENOSYS] = "ENOSYS", [ENOTEMPTY] = "ENOTEMPTY",
    [ELOOP] = "ELOOP", [ENOMSG] = "ENOMSG", [EIDRM] = "EIDRM", [ECHRNG] = "ECHRNG", [EL2NSYNC] = "EL2NSYNC",
    [EL3HLT] = "EL3HLT", [EL3RST] = "EL3RST", [ELNRNG] = "ELNRNG", [EUNATCH] = "EUNATCH", [ENOCSI] = "ENOCSI",
    [EL2HLT] = "EL2HLT", [EBADE] = "EBADE", [EBADR] = "EBADR", [EXFULL] = "EXFULL", [ENOANO] = "ENOANO",
    [EBADRQC] = "EBADRQC", [EBADSLT] = "EBADSLT", [EBFONT] = "EBFONT", [ENOSTR] = "ENOSTR", [ENODATA] = "ENODATA",
    [ETIME] = "ETIME", [ENOSR] = "ENOSR", [ENONET] = "ENONET", [ENOPKG] = "ENOPKG", [EREMOTE] = "EREMOTE",
    [ENOLINK] = "ENOLINK", [EADV] = "EADV", [ESRMNT] = "ESRMNT", [ECOMM] = "ECOMM", [EPROTO] = "EPROTO",
    [EMULTIHOP] = "EMULTIHOP", [EDOTDOT] = "EDOTDOT", [EBADMSG] = "EBADMSG", [EOVERFLOW] = "EOVERFLOW",
    [ENOTUNIQ] = "ENOTUNIQ", [EBADFD] = "EBADFD", [EREMCHG] = "EREMCHG", [ELIBACC] = "ELIBACC", [ELIBBAD] = "ELIBBAD",
    [ELIBSCN] = "ELIBSCN", [ELIBMAX] = "ELIBMAX", [ELIBEXEC] = "ELIBEXEC", [EILSEQ] = "EILSEQ",
    [ERESTART] = "ERESTART", [ESTRPIPE] = "ESTRPIPE", [EUSERS] = "EUSERS", [ENOTSOCK] = "ENOTSOCK",
    [EDESTADDRREQ] = "EDESTADDRREQ", [EMSGSIZE] = "EMSGSIZE", [EPROTOTYPE] = "EPROTOTYPE",
    [ENOPROTOOPT] = "ENOPROTOOPT", [EPROTONOSUPPORT] = "EPROTONOSUPPORT", [ESOCKTNOSUPPORT] = "ESOCKTNOSUPPORT",
    [EOPNOTSUPP] = "EOPNOTSUPP", [EPFNOSUPPORT] = "EPFNOSUPPORT", [EAFNOSUPPORT] = "EAFNOSUPPORT",
    [EADDRINUSE] = "EADDRINUSE", [EADDRNOTAVAIL] = "EADDRNOTAVAIL", [ENETDOWN] = "ENETDOWN",
    [ENETUNREACH] = "ENETUNREACH", [ENETRESET] = "ENETRESET", [ECONNABORTED] = "ECONNABORTED",
    [ECONNRESET] = "ECONNRESET", [ENOBUFS] = "ENOBUFS", [EISCONN] = "EISCONN", [ENOTCONN] = "ENOTCONN",
    [ESHUTDOWN] = "ESHUTDOWN", [ETOOMANYREFS] = "ETOOMANYREFS", [ETIMEDOUT] = "ETIMEDOUT",
    [ECONNREFUSED] = "ECONNREFUSED", [EHOSTDOWN] = "EHOSTDOWN", [EHOSTUNREACH] = "EHOSTUNREACH",
    [EALREADY] = "EALREADY", [EINPROGRESS] = "EINPROGRESS", [ESTALE] = "ESTALE", [EUCLEAN] = "EUCLEAN",
    [ENOTNAM] = "ENOTNAM", [ENAVAIL] = "ENAVAIL", [EISNAM] = "EISNAM", [EREMOTEIO] = "EREMOTEIO", [EDQUOT] = "EDQUOT",
    [ENOMEDIUM] = "ENOMEDIUM", [EMEDIUMTYPE] = "EMEDIUMTYPE", [ECANCELED] = "ECANCELED", [ENOKEY] = "ENOKEY",
    [EKEYEXPIRED] = "EKEYEXPIRED", [EKEYREVOKED] = "EKEYREVOKED", [EKEYREJECTED] = "EKEYREJECTED",
    [EOWNERDEAD] = "EOWNERDEAD", [ENOTRECOVERABLE] = "ENOTRECOVERABLE", [ERFKILL] = "ERFKILL",
    [EHWPOISON] = "EHWPOISON",
};

char *__glibc_strerror(int number) {
  static char unknown[32];
  if (number >= 0 && number < (int)(sizeof names / sizeof *names) && names[number])
    return number < (int)(sizeof texts / sizeof *texts) && texts[number] ? (char *)texts[number] : strerror(number);
  snprintf(unknown, sizeof unknown, "Unknown error %d", number);
  return unknown;
}

/* The one of GNU: the text itself. */
char *__glibc_strerror_r(int number, char *to, size_t room) {
  (void)to, (void)room;
  return __glibc_strerror(number);
}
char *__strerror_r(int number, char *to, size_t room) { return __glibc_strerror_r(number, to, room); }

int __glibc___xpg_strerror_r(int number, char *to, size_t room) {
  const char *text = __glibc_strerror(number);
  if (room) {
    size_t kept = strnlen(text, room - 1);
    memcpy(to, text, kept);
    to[kept] = 0;
  }
  return strlen(text) < room ? 0 : ERANGE;
}

void __glibc_perror(const char *before) {
  const char *text = __glibc_strerror(errno);
  fprintf(stderr, before && *before ? "%s: %s\n" : "%s%s\n", before ? before : "", text);
}

const char *strerrorname_np(int number) {
  return number >= 0 && number < (int)(sizeof names / sizeof *names) ? names[number] : 0;
}
const char *strerrordesc_np(int number) { return strerrorname_np(number) ? __glibc_strerror(number) : 0; }

char *__glibc_strsignal(int number) {
  static char made[32];
  switch (number) {
  case SIGFPE:
    return "Floating point exception";
  case SIGCHLD:
    return "Child exited";
  default:
    if (number > 0 && number < 32)
      return strsignal(number);
    snprintf(made, sizeof made, number >= 34 && number <= 64 ? "Real-time signal %d" : "Unknown signal %d",
             number >= 34 && number <= 64 ? number - 34 : number);
    return made;
  }
}
const char *sigdescr_np(int number) { return number > 0 && number < 32 ? __glibc_strsignal(number) : 0; }
