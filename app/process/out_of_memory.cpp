#include "process/out_of_memory.hpp"

#include <cxxabi.h>
#include <malloc.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

#include "poisson3d/error.hpp"
#include "poisson3d/hdf5_start.hpp"
#include "poisson3d/output_file.hpp"

namespace poisson3d::app {

namespace {

bool written = false;
bool json_on_stdout = false;
int told_status = -1;
const pid_t this_process = getpid();

/// By no more than write().
void write_all(int stream, const char* text, std::size_t length) noexcept {
    while (length > 0) {
        const ssize_t done = write(stream, text, length);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return;
        text += done;
        length -= static_cast<std::size_t>(done);
    }
}

/// Whether it was memory that an exception or the exception itself had not.
bool no_memory() noexcept {
    const std::type_info* const type = abi::__cxa_current_exception_type();
    if (type != nullptr) return *type == typeid(std::bad_alloc);
    void* const some = std::malloc(1024);
    std::free(some);
    return some == nullptr;
}

/// Where an exception leaves a destructor, or comes before main(), or finds no memory for itself.
[[noreturn]] void give_up() noexcept {
    remove_temporary_files();
    if (no_memory()) _exit(end_without_memory());
    write_line("a defect of this program, please report it: an exception that nobody takes");
    _exit(exit_code(ErrorCode::internal));
}

/// Before the tables of this program that are made before main().
__attribute__((constructor(101))) void take_over() {
    std::set_terminate(give_up);
}

}  // namespace

void reserve_heap() {
    constexpr int reserve = 8 << 20;
    // From the heap, not by mmap(), and kept when it is freed; fields go by mmap() as before.
    mallopt(M_TRIM_THRESHOLD, 4 * reserve);
    mallopt(M_MMAP_THRESHOLD, 2 * reserve);
    void* const memory = std::malloc(reserve);
    if (memory == nullptr) throw std::bad_alloc();
    std::free(memory);
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
}

void write_line(const char* sentence) noexcept {
    static std::array<char, 1 << 14> line;  // none other could be had
    constexpr char name[] = "poisson3d: ";
    std::size_t length = sizeof name - 1;
    std::memcpy(line.data(), name, length);
    for (; *sentence != '\0' && length + 1 < line.size(); ++sentence)
        line[length++] = *sentence == '\n' ? ' ' : *sentence;
    line[length++] = '\n';
    written = true;
    hdf5_show_stderr();
    write_all(STDERR_FILENO, line.data(), length);
}

void expect_json_on_stdout(bool expected) noexcept {
    json_on_stdout = expected;
}

int all_is_told(int status) noexcept {
    told_status = status;
    return status;
}

int end_at_once(ErrorCode code, const char* sentence) noexcept {
    if (told_status >= 0) return told_status;
    const int status = exit_code(code);
    // Before main() there is no child yet, nor a number to compare with.
    if (this_process != 0 && getpid() != this_process) return status;
    if (!written) write_line(sentence);
    if (json_on_stdout) {
        const char digit[] = {static_cast<char>('0' + status), '\0'};
        for (const char* part : {"{\"status\": ", digit, ", \"message\": \"", sentence, "\"}\n"})
            write_all(STDOUT_FILENO, part, std::strlen(part));
    }
    return status;
}

int end_without_memory() noexcept {
    return end_at_once(ErrorCode::out_of_memory, "out of host memory");
}

}  // namespace poisson3d::app
