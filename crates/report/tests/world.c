/* Does what its first argument says, and tells what it finds around it. */
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char **environ;

static void show(const struct stat *s) {
    const char *type = S_ISREG(s->st_mode) ? "file" : S_ISFIFO(s->st_mode) ? "pipe" : S_ISDIR(s->st_mode) ? "folder" : "other";
    printf("%s %o %ld %ld", type, s->st_mode & 07777, (long)s->st_size, S_ISREG(s->st_mode) ? (long)s->st_mtime : 0L);
}

static void copy(int from) {
    char buffer[100];
    ssize_t size;
    fflush(stdout);
    while ((size = read(from, buffer, sizeof buffer)) > 0)
        if (write(1, buffer, (size_t)size) != size)
            exit(1);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    const char *name = argc > 2 ? argv[2] : "";
    struct stat s;
    if (strcmp(what, "args") == 0) {
        for (int i = 0; i < argc; i++)
            printf("[%s]", argv[i]);
    } else if (strcmp(what, "cat") == 0) {
        int fd = open(name, O_RDONLY);
        if (fd < 0)
            return 1;
        copy(fd);
    } else if (strcmp(what, "write") == 0) {
        int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (write(fd, "written", 7) != 7)
            return 1;
        printf("written");
    } else if (strcmp(what, "stat") == 0) {
        if (stat(name, &s) != 0)
            return 1;
        show(&s);
    } else if (strcmp(what, "stdin") == 0) {
        fstat(0, &s);
        show(&s);
        printf(": ");
        copy(0);
    } else if (strcmp(what, "stdout") == 0) {
        fstat(1, &s);
        show(&s);
    } else if (strcmp(what, "list") == 0) {
        struct dirent **names;
        int count = scandir(name, &names, NULL, alphasort);
        for (int i = 0; i < count; i++)
            if (names[i]->d_name[0] != '.')
                printf("%s ", names[i]->d_name);
            else if (strlen(names[i]->d_name) > 2)
                return 1;
    } else if (strcmp(what, "where") == 0) {
        char folder[100];
        printf("%s %o", getcwd(folder, sizeof folder), umask(0));
    } else if (strcmp(what, "env") == 0) {
        for (char **variable = environ; *variable; variable++)
            printf("%s ", *variable);
    } else if (strcmp(what, "process") == 0) {
        struct utsname system;
        uname(&system);
        printf("%d %d %d %s", getpid(), getppid(), getpgrp(), system.nodename);
    } else if (strcmp(what, "processors") == 0) {
        printf("%ld", sysconf(_SC_NPROCESSORS_ONLN));
    } else if (strcmp(what, "kill") == 0) {
        /* Signal 0 only asks. */
        printf("%d", kill(-1, 0));
    } else if (strcmp(what, "clock") == 0) {
        struct timeval now;
        gettimeofday(&now, NULL);
        printf("%d", settimeofday(&now, NULL));
    } else if (strcmp(what, "exit") == 0) {
        return 7;
    } else if (strcmp(what, "abort") == 0) {
        abort();
    } else if (strcmp(what, "assert") == 0) {
        assert(argc == 99);
    } else if (strcmp(what, "null") == 0) {
        *(volatile int *)NULL = 1;
    } else if (strcmp(what, "endless") == 0) {
        for (;;)
            pause();
    } else {
        return 9;
    }
    return 0;
}
