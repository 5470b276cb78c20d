/* Preloaded into a program: the FAULT_AT-th allocation of the process and its children fails; with FAULT_ALL, and
 * all after it. At the end the number of allocations is added to the file FAULT_COUNT; where one failed the callers
 * are added to the file FAULT_TRACE. Counting begins when the loader is done, so that what fails is asked for by
 * the program or by the libraries it uses. */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

static atomic_long* taken; /* shared with the children of the process */
static long fail_at = -1;
static int fail_all;
static int counting;

static void trace(void) {
    const char* path = getenv("FAULT_TRACE");
    if (path == NULL) return;
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) return;
    void* frames[24];
    counting = 0;
    backtrace_symbols_fd(frames, backtrace(frames, 24), file);
    counting = 1;
    close(file);
}

static int fails(void) {
    if (!counting) return 0;
    const long number = atomic_fetch_add(taken, 1) + 1;
    if (fail_at < 0 || number < fail_at || (number > fail_at && !fail_all)) return 0;
    if (number == fail_at) trace();
    errno = ENOMEM;
    return 1;
}

void* malloc(size_t bytes) {
    return fails() ? NULL : __libc_malloc(bytes);
}

void* calloc(size_t count, size_t bytes) {
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void* realloc(void* memory, size_t bytes) {
    return fails() ? NULL : __libc_realloc(memory, bytes);
}

void* memalign(size_t alignment, size_t bytes) {
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}

void* aligned_alloc(size_t alignment, size_t bytes) {
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void** memory, size_t alignment, size_t bytes) {
    void* made = fails() ? NULL : __libc_memalign(alignment, bytes);
    if (made == NULL) return ENOMEM;
    *memory = made;
    return 0;
}

__attribute__((constructor)) static void start(void) {
    const char* at = getenv("FAULT_AT");
    void* frames[2];
    backtrace(frames, 2); /* loads what it needs now, not while an allocation fails */
    taken = mmap(NULL, sizeof *taken, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (taken == MAP_FAILED) _exit(99);
    if (at != NULL) fail_at = atol(at);
    fail_all = getenv("FAULT_ALL") != NULL;
    counting = 1;
}

__attribute__((destructor)) static void end(void) {
    const char* path = getenv("FAULT_COUNT");
    counting = 0;
    if (path == NULL) return;
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    char text[32];
    const int length = snprintf(text, sizeof text, "%ld\n", atomic_load(taken));
    if (file >= 0 && write(file, text, (size_t)length) != length) _exit(99);
    if (file >= 0) close(file);
}
