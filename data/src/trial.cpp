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
#include <system_error>

#include "h5.hpp"
#include "input_files.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

namespace {

constexpr double processor_seconds = 4.0;
constexpr int clock_seconds = 60;
constexpr char alive = '.', ended = '!';  // what the child writes

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
    const auto so_far = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    limit(RLIMIT_CPU, static_cast<rlim_t>(so_far + std::ceil(std::min(seconds, 1e6)) + 1.0));
}

// Signals that end a crashed process do so; those that users and batch systems send are for the parent, which
// waits for the child, and without which the child is ended.
void forget_the_parent() noexcept {
    struct sigaction action = {};
    for (int number = 1; number < NSIG; ++number) {
        const bool sent = number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT ||
                          number == SIGPIPE || number == SIGUSR1 || number == SIGUSR2 || number == SIGALRM;
        action.sa_handler = sent ? SIG_IGN : SIG_DFL;
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

[[noreturn]] void be_the_child(int pipe, const std::function<void(const SignOfLife&)>& work) noexcept {
    forget_the_parent();
    limit_processor_time(processor_seconds);
    try {
        work([pipe](double seconds) {
            limit_processor_time(processor_seconds + seconds);
            if (write(pipe, &alive, 1) != 1) _exit(1);  // nobody is left to tell
        });
    } catch (...) {  // the parent meets the same and tells
    }
    static_cast<void>(!write(pipe, &ended, 1));
    _exit(0);
}

// Reads what the child says until it ended, went silent for too long, or is gone.
enum class End { well, crashed, silent };

End listen(int pipe) {
    for (;;) {
        pollfd waiting{pipe, POLLIN, 0};
        const int ready = poll(&waiting, 1, 1000 * clock_seconds);
        if (ready == 0) return End::silent;
        std::array<char, 64> said{};
        const ssize_t count = ready < 0 ? -1 : read(pipe, said.data(), said.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (count <= 0) return End::crashed;
        if (std::find(said.begin(), said.begin() + count, ended) != said.begin() + count) return End::well;
    }
}

}  // namespace

void rehearse(const std::string& path, const std::function<void(const SignOfLife&)>& work) {
    const h5::Subject subject{ErrorCode::file, printable_name(path)};
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) subject.fail(h5::describe_errno(errno));
    const h5::Descriptor out(ends[0]);
    h5::Descriptor in(ends[1]);
    const pid_t child = fork();
    if (child == 0) be_the_child(in.get(), work);
    if (child < 0)
        subject.fail(ErrorCode::out_of_memory,
                     "no child process can be made to try the file: " + std::generic_category().message(errno));
    in = h5::Descriptor();  // so that the pipe ends with the child
    const End end = listen(out.get());
    if (end == End::silent) static_cast<void>(kill(child, SIGKILL));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (end == End::well) return;
    // A program that ends where memory is short does so in the child, too.
    if (WIFEXITED(status) && WEXITSTATUS(status) == exit_code(ErrorCode::out_of_memory))
        subject.fail(ErrorCode::out_of_memory, "there is no memory to read its structure");
    const bool stuck = end == End::silent || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
    subject.fail(stuck
                     ? "the HDF5 library did not come to an end of reading its structure: the file is damaged, or "
                       "its file system answers too slowly"
                     : "the HDF5 library crashed while reading its structure: the file is damaged");
}

}  // namespace poisson3d
