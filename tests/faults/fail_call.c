/* Runs a program and lets one of its calls of the kernel fail.
 *
 *     fail_call list FILE PROGRAM ARGUMENTS…               writes "name times error error…" for each kind of call
 *     fail_call NAME NUMBER ERROR PROGRAM ARGUMENTS…       the NUMBER-th call of that name fails with that error
 *     fail_call memory NUMBER ERROR PROGRAM ARGUMENTS…     from the NUMBER-th on all calls that ask for memory fail
 *
 * All threads and processes of the program count together. The dynamic loader does not: a process counts from its
 * first call that is not made by the code of the loader. Ends as the program ended, with 128 + signal if a signal
 * did it. */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "call_errors.h"

enum { max_tasks = 4096, kinds = sizeof call_errors / sizeof *call_errors, all_memory = -2 };

static long counts[kinds];
static long memory_count;
static long unknown = -1;
static long heap_end; /* what the last call of brk handed back */

struct task {
    pid_t id;
    int ours;                                    /* it has yet to become the program */
    int loading;                                 /* its shared libraries are not all there yet */
    unsigned long long loader_begin, loader_end; /* where the code of its loader lies */
    int failing;                                 /* in a call that is to fail */
    long call;                                   /* the number of the last one */
};
static struct task tasks[max_tasks];

static void die(const char* what) {
    perror(what);
    exit(125);
}

static struct task* task_of(pid_t id) {
    for (int i = 0; i < max_tasks; ++i) {
        if (tasks[i].id == id) return &tasks[i];
        if (tasks[i].id == 0) {
            tasks[i].id = id;
            return &tasks[i];
        }
    }
    fprintf(stderr, "fail_call: too many threads and processes\n");
    exit(125);
}

static int kind_of(long number) {
    for (int i = 0; i < kinds; ++i)
        if (call_errors[i].number == number) return i;
    unknown = number;
    return -1;
}

static int kind_named(const char* name) {
    if (strcmp(name, "memory") == 0) return all_memory;
    for (int i = 0; i < kinds; ++i)
        if (strcmp(call_errors[i].name, name) == 0) return i;
    fprintf(stderr, "fail_call: no call %s\n", name);
    exit(125);
}

/* A call number that there is not: the kernel does nothing. */
static void skip_call(pid_t id) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, id, NULL, &registers) != 0) return;
    registers.orig_rax = (unsigned long long)-1;
    ptrace(PTRACE_SETREGS, id, NULL, &registers);
}

static void set_result(pid_t id, long result) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, id, NULL, &registers) != 0) return;
    registers.rax = (unsigned long long)result;
    ptrace(PTRACE_SETREGS, id, NULL, &registers);
}

/* Where the loader of a program that begins now lies; nowhere if the program is linked statically. */
static void find_loader(struct task* task) {
    char path[64], line[4096];
    unsigned long long entry[2], base = 0, begin, end, inode, loader_inode = 0;
    snprintf(path, sizeof path, "/proc/%d/auxv", (int)task->id);
    FILE* file = fopen(path, "r");
    while (file != NULL && fread(entry, sizeof entry, 1, file) == 1)
        if (entry[0] == AT_BASE) base = entry[1];
    if (file != NULL) fclose(file);
    snprintf(path, sizeof path, "/proc/%d/maps", (int)task->id);
    file = fopen(path, "r");
    task->loader_begin = task->loader_end = 0;
    while (file != NULL && base != 0 && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%llx-%llx %*s %*s %*s %llu", &begin, &end, &inode) != 3) continue;
        if (begin == base) {
            loader_inode = inode;
            task->loader_begin = begin;
        }
        if (loader_inode != 0 && inode == loader_inode) task->loader_end = end;
    }
    if (file != NULL) fclose(file);
}

static int made_by_loader(const struct task* task, unsigned long long where) {
    return where >= task->loader_begin && where < task->loader_end;
}

static void at_call(struct task* task, int kind_wanted, long number_wanted, int error) {
    struct __ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, task->id, sizeof info, &info) <= 0) return;
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
        const long number = task->call = (long)info.entry.nr;
        if (task->ours) return;
        if (task->loading) task->loading = made_by_loader(task, info.instruction_pointer);
        if (task->loading) return;
        const int kind = kind_of(number);
        if (kind < 0) return;
        ++counts[kind];
        const int memory = number == SYS_mmap || number == SYS_brk || number == SYS_mremap;
        memory_count += memory;
        if (kind_wanted == all_memory ? memory && memory_count >= number_wanted
                                      : kind == kind_wanted && counts[kind] == number_wanted) {
            task->failing = 1;
            skip_call(task->id);
        }
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
        /* A brk that fails hands back the end as it was, and no error. */
        const int heap = task->call == SYS_brk;
        if (task->failing) set_result(task->id, heap ? heap_end : -error);
        if (heap && !task->failing) heap_end = (long)info.exit.rval;
        task->failing = 0;
    }
}

static int follow(pid_t leader, int kind, long number, int error) {
    int status, result = -1;
    pid_t id;
    while ((id = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
        if (id <= 0) continue;
        struct task* task = task_of(id);
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (id != leader) continue;
            result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            return result; /* what it left running goes with us */
        }
        const int event = status >> 16, signal_number = WSTOPSIG(status);
        long deliver = 0;
        if (signal_number == (SIGTRAP | 0x80)) {
            at_call(task, kind, number, error);
        } else if (event == PTRACE_EVENT_EXEC) {
            task->ours = 0;
            task->loading = 1;
            find_loader(task);
        } else if (event == 0) {
            deliver = signal_number;
        }
        ptrace(PTRACE_SYSCALL, id, NULL, deliver);
    }
    return 125;
}

static int run(char** words, int kind, long number, int error) {
    int gate[2];
    char byte = 0;
    if (pipe(gate) != 0) die("pipe");
    const pid_t leader = fork();
    if (leader < 0) die("fork");
    if (leader == 0) {
        if (read(gate[0], &byte, 1) != 1) _exit(125);
        close(gate[0]);
        close(gate[1]);
        execvp(words[0], words);
        _exit(125);
    }
    const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                         PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SEIZE, leader, NULL, options) != 0) die("ptrace");
    if (ptrace(PTRACE_INTERRUPT, leader, NULL, NULL) != 0) die("ptrace");
    task_of(leader)->ours = 1;
    if (write(gate[1], &byte, 1) != 1) die("write");
    close(gate[0]);
    close(gate[1]);
    return follow(leader, kind, number, error);
}

int main(int count, char** words) {
    if (count >= 4 && strcmp(words[1], "list") == 0) {
        const int status = run(words + 3, -1, 0, 0);
        FILE* file = fopen(words[2], "w");
        if (file == NULL) die(words[2]);
        for (int i = 0; i < kinds; ++i)
            if (counts[i] > 0) fprintf(file, "%s %ld %s\n", call_errors[i].name, counts[i], call_errors[i].errors);
        fprintf(file, "memory %ld\n", memory_count);
        if (unknown >= 0) fprintf(file, "unknown %ld\n", unknown);
        return fclose(file) == 0 ? status : 125;
    }
    if (count < 5) {
        fprintf(stderr, "fail_call list FILE PROGRAM …, or fail_call NAME NUMBER ERROR PROGRAM …\n");
        return 125;
    }
    return run(words + 4, kind_named(words[1]), atol(words[2]), atoi(words[3]));
}
