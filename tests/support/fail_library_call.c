/* Preloaded into a program, this makes calls of the C library fail that are hard to fail otherwise, and counts
 * them.
 *
 *   FAIL_CALL=fsync:2:EIO,tmpfile:0:EOPNOTSUPP   the second fsync, and every open with O_TMPFILE
 *   FAIL_CALL=rename:1:SIGSEGV                   the first rename ends in a signal, before it is done
 *   CALL_LOG=FILE                                a line for each call
 *
 * Calls: tmpfile, fsync, close (of regular files open for writing), rename, linkat, flock (of
 * directories), pwrite. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { tmpfile_call, fsync_call, close_call, rename_call, linkat_call, flock_call, pwrite_call, calls };
static const char* const names[calls] = {"tmpfile", "fsync", "close", "rename", "linkat", "flock", "pwrite"};
static int counted[calls];

static const struct {
    const char* name;
    int number, signal;
} answers[] = {{"EIO", EIO, 0},         {"ENOSPC", ENOSPC, 0},           {"EDQUOT", EDQUOT, 0},
               {"EINVAL", EINVAL, 0},   {"EOPNOTSUPP", EOPNOTSUPP, 0},   {"EISDIR", EISDIR, 0},
               {"ENOENT", ENOENT, 0},   {"EWOULDBLOCK", EWOULDBLOCK, 0}, {"SIGSEGV", 0, SIGSEGV},
               {"SIGABRT", 0, SIGABRT}, {"SIGKILL", 0, SIGKILL}};

static void say(const char* name, const char* what) {
    const char* const log = getenv("CALL_LOG");
    if (log == NULL) return;
    const int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    char line[64];
    const int length = snprintf(line, sizeof line, "%s %s\n", name, what);
    if (syscall(SYS_write, file, line, (size_t)length) < 0) abort();
    syscall(SYS_close, file);
}

/* The number that this call is to fail with, or 0. */
static int fails(int call, const char* what) {
    const int saved = errno, count = ++counted[call];
    say(names[call], what);
    errno = saved;
    const char* rule = getenv("FAIL_CALL");
    while (rule != NULL && *rule != '\0') {
        char name[16], word[16];
        int wanted;
        if (sscanf(rule, "%15[a-z]:%d:%15[A-Z]", name, &wanted, word) != 3) abort();
        if (strcmp(name, names[call]) == 0 && (wanted == 0 || wanted == count))
            for (size_t i = 0; i < sizeof answers / sizeof *answers; ++i)
                if (strcmp(word, answers[i].name) == 0) {
                    if (answers[i].signal != 0) raise(answers[i].signal);
                    return answers[i].number;
                }
        rule = strchr(rule, ',');
        if (rule != NULL) ++rule;
    }
    return 0;
}

static int written_file(int file) {
    struct stat status;
    const int saved = errno;
    const int yes = fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                    (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY && (fcntl(file, F_GETFL) & O_PATH) == 0;
    errno = saved;
    return yes;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL_WITH(number, answer)          \
    do {                                   \
        const int error_number = (number); \
        if (error_number != 0) {           \
            errno = error_number;          \
            return answer;                 \
        }                                  \
    } while (0)

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if ((flags & O_TMPFILE) == O_TMPFILE) FAIL_WITH(fails(tmpfile_call, ""), -1);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int fsync(int file) {
    struct stat status;
    FAIL_WITH(fails(fsync_call, fstat(file, &status) == 0 && S_ISDIR(status.st_mode) ? "directory" : "file"), -1);
    return REAL(fsync)(file);
}

int close(int file) {
    const int failed = written_file(file) ? fails(close_call, "") : 0;
    const int answer = REAL(close)(file); /* closed it is even if that fails */
    FAIL_WITH(failed, -1);
    return answer;
}

int rename(const char* from, const char* to) {
    FAIL_WITH(fails(rename_call, ""), -1);
    return REAL(rename)(from, to);
}

int linkat(int from_directory, const char* from, int to_directory, const char* to, int flags) {
    FAIL_WITH(fails(linkat_call, ""), -1);
    return REAL(linkat)(from_directory, from, to_directory, to, flags);
}

int flock(int file, int operation) {
    struct stat status;
    if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) FAIL_WITH(fails(flock_call, ""), -1);
    return (int)syscall(SYS_flock, file, operation);
}

ssize_t pwrite(int file, const void* bytes, size_t count, off_t offset) {
    FAIL_WITH(fails(pwrite_call, ""), -1);
    return REAL(pwrite)(file, bytes, count, offset);
}
