#include "h5.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "poisson3d/hdf5_start.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::h5 {

namespace {

volatile std::sig_atomic_t starting = 0, reading = 0;
volatile std::sig_atomic_t shown = -1;  // stderr, where it is not number 2 now

// HDF5 would close at exit what is still open. The only files that are still open then are outputs that could not
// be flushed (see FieldWriter): closing them fails again, and HDF5 1.10 then uses memory that it has freed. Must
// come before the first use of HDF5, but not before main(), where no error can be caught.
bool start() {
    starting = 1;
    static_cast<void>(H5dont_atexit());  // refused where others started HDF5 before, who then see to its end
    const bool started = H5open() >= 0;
    starting = 0;
    if (!started) throw Error(ErrorCode::out_of_memory, "out of host memory: HDF5 cannot start");
    return started;
}

void before_first_use() {
    [[maybe_unused]] static const bool started = start();
}

}  // namespace

Reading::Reading() noexcept {
    reading = reading + 1;
    if (reading > 1) return;
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int kept = nowhere < 0 ? -1 : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (kept >= 0 && dup2(nowhere, STDERR_FILENO) >= 0)
        shown = kept;
    else if (kept >= 0)
        close(kept);
    if (nowhere >= 0) close(nowhere);
}

Reading::~Reading() {
    reading = reading - 1;
    if (reading > 0 || shown < 0) return;
    const int kept = shown;
    hdf5_show_stderr();
    shown = -1;
    close(kept);
}

Quiet::Quiet() {
    before_first_use();
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() {
    H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

namespace {

struct Stack {
    std::array<char, 512> line{};  // the most specific one
    bool memory = false;
    bool lock = false;
};

// Called by HDF5 for each entry of the stack, the most specific one first. Must not throw through C code. The
// variables behind the macros are read, since the macros make a call, and calls may clear the stack.
herr_t take_entry(unsigned, const H5E_error2_t* entry, void* client) noexcept {
    Stack& stack = *static_cast<Stack*>(client);
    // "Cannot allocate" is also said of space in a file.
    const bool of_memory =
        entry->min_num == H5E_NOSPACE_g || (entry->min_num == H5E_CANTALLOC_g && entry->desc != nullptr &&
                                            std::string_view(entry->desc).find("memory") != std::string_view::npos);
    if (entry->maj_num == H5E_RESOURCE_g && of_memory) stack.memory = true;
#if H5_VERSION_GE(1, 10, 7)
    if (entry->min_num == H5E_CANTLOCKFILE_g || entry->min_num == H5E_CANTUNLOCKFILE_g) stack.lock = true;
#else
    if (entry->maj_num == H5E_FILE_g && entry->min_num == H5E_CANTLOCK_g) stack.lock = true;
#endif
    if (stack.line[0] != '\0' || entry->desc == nullptr) return 0;
    for (std::size_t i = 0; i + 1 < stack.line.size() && entry->desc[i] != '\0'; ++i)
        stack.line[i] = entry->desc[i];
    return 0;
}

// "file write failed: time = …, errno = 27, error message = 'File too large', buf = 0x…" says two things of
// interest.
std::string shorten(const std::string& text) {
    const std::string mark = "error message = '";
    const std::size_t found = text.find(mark);
    if (found == std::string::npos) return text;
    const std::size_t first = found + mark.size();
    return text.substr(0, text.find_first_of(":,")) + ": " + text.substr(first, text.find('\'', first) - first);
}

int errno_of(const std::string& text) {
    const std::string mark = "errno = ";
    const std::size_t found = text.find(mark);
    return found == std::string::npos ? 0 : std::atoi(text.c_str() + found + mark.size());
}

}  // namespace

Failure last_failure() {
    Stack stack;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_entry, &stack);
    const std::string text = stack.line[0] == '\0' ? "HDF5 gives no reason" : stack.line.data();
    const int number = errno_of(text);
    if (number == EMFILE || number == ENFILE) return {Failure::Kind::descriptors, describe_errno(number)};
    const std::string reason = printable(shorten(text), 200);
    if (stack.lock)
        return {Failure::Kind::lock,
                reason +
                    "; either another program has it open for writing, or its file system cannot lock files: "
                    "then set HDF5_USE_FILE_LOCKING=FALSE"};
    if (stack.memory || number == ENOMEM)
        return {Failure::Kind::memory,
                "out of memory inside HDF5, unless the file is damaged and asks for too much: " + reason};
    return {Failure::Kind::other, reason};
}

void Subject::fail(const std::string& what) const {
    fail(code, what);
}

void Subject::fail(ErrorCode other, const std::string& what) const {
    throw Error(other, name + ": " + what);
}

void Subject::fail_with_reason(const std::string& what) const {
    const Failure failure = last_failure();
    const bool memory = failure.kind == Failure::Kind::memory;
    fail(memory ? ErrorCode::out_of_memory : code, what + ": " + failure.reason);
}

std::string name_of(const std::string& path, const char* kind, const std::string& what) {
    return printable_name(path) + ", " + kind + " " + printable(what, 200);
}

std::string describe_errno(int number) {
    const std::string text = std::generic_category().message(number);
    switch (number) {
        case EMFILE:
            return "no free file descriptor: this process has as many files open as it may (" + text +
                   "; ulimit -n shows and sets how many)";
        case ENFILE: return "no free file descriptor: this machine has as many files open as it may (" + text + ")";
        case ELOOP: return "found symbolic links that lead back to themselves (" + text + ")";
        case EACCES:
        case EPERM: return "the file is not readable: check its permissions and those of its directories";
        case ENOENT:
        case ENOTDIR: return "there is no such file";
        default: return "the file cannot be reached: " + text;
    }
}

Properties file_access(const Subject& subject) {
    before_first_use();
    Properties access(subject.check(H5Pcreate(H5P_FILE_ACCESS), "cannot be opened"));
#if (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0)) || H5_VERSION_GE(1, 12, 1)
    subject.check(H5Pset_file_locking(access.get(), true, true), "cannot be opened");
#endif
    return access;
}

}  // namespace poisson3d::h5

namespace poisson3d {

bool hdf5_is_starting() noexcept {
    return h5::starting != 0;
}

bool hdf5_is_reading() noexcept {
    return h5::reading != 0;
}

void hdf5_show_stderr() noexcept {
    if (h5::shown >= 0) dup2(h5::shown, STDERR_FILENO);
}

}  // namespace poisson3d
