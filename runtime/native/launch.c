/*
 * Starts a program in the world of a test: with its root, its folder, its user, and nothing else open.
 *
 *     launch MODE ROOT OUTSIDE BINARY USER GROUP N [FROM TO]... M [NAME=VALUE]... ARGV0 ARGS...
 *
 * MODE is one of
 *     folder      ROOT is only the current folder;
 *     chroot      ROOT is the root, which needs privileges;
 *     namespace   ROOT is the root, in name spaces of its own with N bindings of FROM at TO, both seen from outside. Even
 *                 as root the program can do no harm: it sees no other process and has no rights beyond its root. It is
 *                 process 2, the child of process 1, leads its group and its session, and its host is called osier.
 *
 * The program's environment is the M variables, in their order, and nothing else; the first three file descriptors go to
 * it as they are. The binary is executed by its
 * descriptor, so that the program finds no file in its root that is not the test's. This process ends as the program
 * does. If something fails before, a line about it is written to the file `problem` in the folder OUTSIDE.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct launch {
    const char *mode, *root, *binary;
    unsigned user, group;
    char **bindings;
    int binding_count;
    char **variables, **argv;
    int executable;
};

static int outside = -1;

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
    int error = errno;
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line - 200, format, arguments);
    va_end(arguments);
    if (size > (int)sizeof line - 201)
        size = (int)sizeof line - 201;
    size += snprintf(line + size, 200, ": %s\n", strerror(error));
    int fd = outside < 0 ? 2 : openat(outside, "problem", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    ssize_t written = write(fd, line, (size_t)size);
    (void)written;
    _exit(127);
}

__attribute__((noreturn)) static void execute(const struct launch *launch) {
    umask(022);
    struct rlimit none = {0, 0}, files = {1024, 4096};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_NOFILE, &files);
    /* The kernel of the test has one processor. */
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET((size_t)sched_getcpu(), &here);
    sched_setaffinity(0, sizeof here, &here);
    /* What the caller's own caller left open is not the test's. */
    syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC);
    execveat(launch->executable, "", launch->argv, launch->variables, AT_EMPTY_PATH);
    fail("cannot execute %s", launch->binary);
}

static void enter_root(const struct launch *launch) {
    if (chdir(launch->root) != 0)
        fail("cannot enter %s", launch->root);
    if (strcmp(launch->mode, "folder") != 0 && (chroot(".") != 0 || chdir("/") != 0))
        fail("cannot make %s the root", launch->root);
}

static void become(unsigned user, unsigned group) {
    if (geteuid() == user && getegid() == group)
        return;
    if (setgroups(0, NULL) != 0 || setresgid(group, group, group) != 0 || setresuid(user, user, user) != 0)
        fail("cannot become user %u of group %u", user, group);
}

static void write_file(pid_t process, const char *name, const char *text) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        fail("cannot write %s", path);
    close(fd);
}

/* Who has privileges maps every user; others may map one, who becomes the test's. */
static void map_users(pid_t process, const struct launch *launch) {
    if (geteuid() == 0) {
        write_file(process, "uid_map", "0 0 4294967295\n");
        write_file(process, "gid_map", "0 0 4294967295\n");
        return;
    }
    char map[64];
    write_file(process, "setgroups", "deny");
    snprintf(map, sizeof map, "%u %u 1\n", launch->user, geteuid());
    write_file(process, "uid_map", map);
    snprintf(map, sizeof map, "%u %u 1\n", launch->group, getegid());
    write_file(process, "gid_map", map);
}

/* Process 1 of the name space: a signal does not end it as it would end a program, so the program is its child. */
__attribute__((noreturn)) static void be_first_process(const struct launch *launch, int go, int report) {
    char ready;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (read(go, &ready, 1) != 1)
        _exit(127);
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        fail("cannot make the mounts private");
    for (int i = 0; i < launch->binding_count; i++) {
        char **binding = launch->bindings + 2 * i;
        if (mount(binding[0], binding[1], NULL, MS_BIND | MS_REC, NULL) != 0)
            fail("cannot bind %s at %s", binding[0], binding[1]);
    }
    sethostname("osier", 5);
    enter_root(launch);
    pid_t program = fork();
    if (program < 0)
        fail("cannot fork");
    if (program == 0) {
        setsid();
        become(launch->user, launch->group);
        execute(launch);
    }
    int status;
    pid_t ended;
    while ((ended = wait(&status)) != program)
        if (ended < 0 && errno != EINTR)
            fail("cannot wait");
    ssize_t written = write(report, &status, sizeof status);
    (void)written;
    _exit(0);
}

static int run_in_namespace(const struct launch *launch) {
    int go[2], report[2];
    if (pipe2(go, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0)
        fail("cannot make a pipe");
    unsigned long spaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
    pid_t first = (pid_t)syscall(SYS_clone, spaces | SIGCHLD, NULL, NULL, NULL, NULL);
    if (first < 0)
        fail("cannot make name spaces");
    if (first == 0) {
        close(go[1]);
        be_first_process(launch, go[0], report[1]);
    }
    map_users(first, launch);
    int status;
    if (write(go[1], "", 1) != 1)
        fail("cannot go on");
    close(report[1]);
    if (read(report[0], &status, sizeof status) != sizeof status)
        _exit(127);
    return status;
}

int main(int argc, char **argv) {
    int bindings = argc > 7 ? atoi(argv[7]) : 0, at = 8 + 2 * bindings;
    int variables = argc > at ? atoi(argv[at]) : 0, program = at + 1 + variables;
    if (argc <= program) {
        errno = EINVAL;
        fail("too few arguments");
    }
    char **environment = calloc((size_t)variables + 1, sizeof *environment);
    if (environment == NULL)
        fail("there is no memory");
    memcpy(environment, argv + at + 1, (size_t)variables * sizeof *environment);
    struct launch launch = {
        .mode = argv[1],
        .root = argv[2],
        .binary = argv[4],
        .user = (unsigned)strtoul(argv[5], NULL, 10),
        .group = (unsigned)strtoul(argv[6], NULL, 10),
        .bindings = argv + 8,
        .binding_count = bindings,
        .variables = environment,
        .argv = argv + program,
    };
    outside = open(argv[3], O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (outside < 0)
        fail("cannot open %s", argv[3]);
    launch.executable = open(launch.binary, O_PATH | O_CLOEXEC);
    if (launch.executable < 0)
        fail("cannot open %s", launch.binary);
    if (strcmp(launch.mode, "namespace") != 0) {
        enter_root(&launch);
        if (geteuid() == 0)
            become(launch.user, launch.group);
        execute(&launch);
    }
    int status = run_in_namespace(&launch);
    if (!WIFSIGNALED(status))
        _exit(WEXITSTATUS(status));
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    _exit(128 + WTERMSIG(status));
}
