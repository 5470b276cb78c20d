#include "trial.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <system_error>
#include <typeinfo>

#include "descriptor.hpp"
#include "h5.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

namespace {

constexpr double processor_seconds = 1.5;
constexpr int clock_seconds = 60;
constexpr rlim_t structure_bytes = rlim_t{1} << 30;
// What the child writes; behind `telling` the code as three digits, and the sentence.
constexpr char alive = '.', ended = '!', too_large = '?', telling = ':';

void limit(int resource, rlim_t most) noexcept {
    rlimit now{};
    if (getrlimit(static_cast<decltype(RLIMIT_CPU)>(resource), &now) != 0) return;
    now.rlim_cur = std::min(most, now.rlim_max);
    static_cast<void>(setrlimit(static_cast<decltype(RLIMIT_CPU)>(resource), &now));
}

// Beyond what was used so far. The limit counts whole seconds; at its end comes SIGXCPU.
void limit_processor_time(double seconds) noexcept {
    rusage used{};
    static_cast<void>(getrusage(RUSAGE_SELF, &used));
    const auto so_far = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                        1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(so_far + std::min(seconds, 1e6))));
}

// Beyond what this process has, and never more than it may have.
void limit_memory(rlim_t bytes) noexcept {
    std::array<char, 256> text{};
    const int statistics = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (statistics < 0) return;
    const Descriptor closed(statistics);
    if (read(statistics, text.data(), text.size() - 1) <= 0) return;
    unsigned long long pages = 0;  // of data and stack
    if (std::sscanf(text.data(), "%*u %*u %*u %*u %*u %llu", &pages) != 1) return;
    limit(RLIMIT_DATA, pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + bytes);
}

// Does it, or says why not.
struct Attempt {
    enum { done, no_memory, refused } end = done;
    std::string refusal;  // code and sentence; empty where the parent has to find it out itself
};

Attempt attempt(const Work& work, const Heartbeat& heartbeat) noexcept {
    try {
        work(heartbeat);
        return {};
    } catch (const Error& error) {
        if (error.code() == ErrorCode::out_of_memory) return {Attempt::no_memory, {}};
        if (typeid(error) != typeid(Error)) return {Attempt::refused, {}};  // it knows more than that
        try {
            return {Attempt::refused, std::to_string(100 + static_cast<int>(error.code())) + error.what()};
        } catch (...) {
            return {Attempt::refused, {}};
        }
    } catch (const std::bad_alloc&) {
        return {Attempt::no_memory, {}};
    } catch (...) {
        return {Attempt::refused, {}};
    }
}

bool memory_is_there() noexcept {
    constexpr std::size_t some = std::size_t{64} << 20;
    void* volatile memory = std::malloc(some);  // volatile: or the compiler leaves it out
    std::free(memory);
    return memory != nullptr;
}

// Signals that end a crashed process do so; those that users and batch systems send are for the parent, which
// waits for the child, and without which the child is ended.
void forget_the_parent() noexcept {
    struct sigaction action = {};
    for (int number = 1; number < NSIG; ++number) {
        const bool own = number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
                         number == SIGABRT || number == SIGTRAP || number == SIGSYS || number == SIGXCPU;
        action.sa_handler = own || number == SIGCHLD ? SIG_DFL : SIG_IGN;
        static_cast<void>(sigaction(number, &action, nullptr));
    }
    sigset_t none;
    sigemptyset(&none);
    static_cast<void>(sigprocmask(SIG_SETMASK, &none, nullptr));
    static_cast<void>(prctl(PR_SET_PDEATHSIG, SIGKILL));
    limit(RLIMIT_CORE, 0);
    // Crashing libraries say so on stderr.
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) static_cast<void>(dup2(nowhere, STDERR_FILENO));
    // A damaged file may ask for all memory there is: then this process goes, not another.
    const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0) static_cast<void>(!write(score, "1000", 4));
}

[[noreturn]] void be_the_child(int pipe, const Work& structure, const Work& values) noexcept {
    forget_the_parent();
    limit_processor_time(processor_seconds);
    const auto say = [pipe](const char* words, std::size_t count) {
        if (write(pipe, words, count) != static_cast<ssize_t>(count)) _exit(1);  // the parent is gone
    };
    const Heartbeat heartbeat = [&say](double seconds) {
        limit_processor_time(processor_seconds + seconds);
        say(&alive, 1);
    };
    limit_memory(structure_bytes);
    Attempt made = attempt(structure, heartbeat);
    // Once may be this machine's fault: if it happens again with memory left, it is the file that asks for too
    // much.
    if (made.end == Attempt::no_memory && memory_is_there()) made = attempt(structure, heartbeat);
    const bool greedy = made.end == Attempt::no_memory && memory_is_there();
    limit(RLIMIT_DATA, RLIM_INFINITY);
    if (made.end == Attempt::done) made = attempt(values, heartbeat);
    if (!made.refusal.empty()) {
        say(&telling, 1);
        say(made.refusal.data(), made.refusal.size());
    } else {
        say(greedy ? &too_large : &ended, 1);
    }
    _exit(0);
}

// Reads what the child says until it ended, went silent for too long, or is gone.
enum class End { well, refused, greedy, no_memory, crashed, stuck };

End listen(int pipe, std::string& refusal) {
    bool sentence = false;
    for (;;) {
        pollfd waiting{pipe, POLLIN, 0};
        const int ready = poll(&waiting, 1, 1000 * clock_seconds);
        if (ready == 0) return End::stuck;
        std::array<char, 256> said{};
        const ssize_t count = ready < 0 ? -1 : read(pipe, said.data(), said.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (count <= 0) return refusal.size() > 3 ? End::refused : End::crashed;
        for (ssize_t i = 0; i < count; ++i) {
            const char word = said[static_cast<std::size_t>(i)];
            if (sentence)
                refusal += word;
            else if (word == ended)
                return End::well;
            else if (word == too_large)
                return End::greedy;
            else
                sentence = word == telling;
        }
    }
}

// What the child refused is not tried here: a damaged file leaves objects open in HDF5 that cannot be closed.
[[noreturn]] void repeat(const std::string& refusal) {
    throw Error(static_cast<ErrorCode>(std::stoi(refusal.substr(0, 3)) - 100), refusal.substr(3));
}

End try_once(const h5::Subject& subject, const Work& structure, const Work& values) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) subject.fail(h5::describe_errno(errno));
    const Descriptor out(ends[0]);
    Descriptor in(ends[1]);
    const pid_t child = fork();
    if (child == 0) be_the_child(in.get(), structure, values);
    if (child < 0)
        subject.fail(ErrorCode::out_of_memory,
                     "no child process can be made to try the file: " + std::generic_category().message(errno));
    in = Descriptor();  // so that the pipe ends with the child
    std::string refusal;
    const End end = listen(out.get(), refusal);
    if (end == End::stuck) static_cast<void>(kill(child, SIGKILL));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (end == End::refused) repeat(refusal);
    if (end != End::crashed) return end;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return End::stuck;
    // The program that this is part of may end itself where memory is short.
    const bool no_memory = WIFEXITED(status) && WEXITSTATUS(status) == exit_code(ErrorCode::out_of_memory);
    return no_memory ? End::no_memory : End::crashed;
}

}  // namespace

void try_in_child(const std::string& path, const Work& structure, const Work& values) {
    const h5::Subject subject{ErrorCode::file, printable_name(path)};
    End end = try_once(subject, structure, values);
    // As for those that throw.
    if (end == End::no_memory && memory_is_there()) end = try_once(subject, structure, values);
    if (end == End::no_memory && memory_is_there()) end = End::greedy;
    switch (end) {
        case End::well:
        case End::refused:  // thrown by then
            return;
        case End::no_memory:
            subject.fail(ErrorCode::out_of_memory, "there is no memory left to read its structure");
        case End::greedy:
            subject.fail("reading its structure takes more than " + format_bytes(structure_bytes) +
                         " of memory: the file is damaged");
        case End::stuck:
            subject.fail(
                "the HDF5 library did not come to an end of reading its structure: the file is damaged, or "
                "its file system answers too slowly");
        case End::crashed:
            subject.fail("the HDF5 library crashed while reading its structure: the file is damaged");
    }
}

}  // namespace poisson3d
