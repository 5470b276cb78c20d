// A team of threads that stays alive between parallel loops.
#pragma once

#include <memory>
#include <type_traits>

#include "poisson3d/export.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {

/// Hardware threads this process may use (its affinity mask and the CPU quotas of its control groups), at least 1.
POISSON3D_API int available_threads();

/// More than any machine runs at once; a larger number is refused as a mistake.
constexpr int max_threads = 1 << 16;

/// `size` threads, the calling one included. Not copyable; one loop at a time. In a child of fork() it can only be
/// destroyed, which waits for no thread; a loop throws Error{usage}.
class POISSON3D_API ThreadTeam {
public:
    /// `size` 0 means available_threads(). Throws Error{usage} for a negative size and one above
    /// max_threads, Error{out_of_memory} when the system refuses a thread.
    explicit ThreadTeam(int size = 0);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    [[nodiscard]] int size() const noexcept;

    /// Calls body(begin, end, thread) on disjoint ranges that cover [0, count), and returns when all are done.
    /// Ranges hold at most `chunk` indices; idle threads fetch the next range, so which thread gets which range
    /// varies, and a body's result must not depend on it. Allocates nothing. The first exception thrown by a
    /// body is thrown again here, after all threads have stopped.
    template <class Body>
    void parallel_for(Index count, Index chunk, Body&& body) {
        run(count, chunk, &trampoline<std::remove_reference_t<Body>>, &body);
    }

private:
    using Function = void (*)(void* body, Index begin, Index end, int thread);
    template <class Body>
    static void trampoline(void* body, Index begin, Index end, int thread) {
        (*static_cast<Body*>(body))(begin, end, thread);
    }
    void run(Index count, Index chunk, Function function, const void* body);

    struct POISSON3D_LOCAL State;
    std::unique_ptr<State> state_;
};

}  // namespace poisson3d
