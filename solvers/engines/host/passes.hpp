// The passes of the host: which of them go through the field together, where each reads and writes, and the threads
// that do them.
//
// Every pass works on u as it lies. Samples of lines along z are neighbours in memory; of lines along y or x, V
// lines that are neighbours in z are read as rows of a cache line or two, as far apart as the axis demands. A block
// of V lines is read whole before it is written to where it was: no other field is needed, and nothing is rotated.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "axis_kind.hpp"
#include "engine.hpp"
#include "kernels.hpp"
#include "part.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/threads.hpp"
#include "schedule.hpp"

namespace poisson3d::host {

/// Memory in which a thread transforms a block of lines: rows of samples or modes, and behind them the elements of
/// the FFTs. In bytes.
struct LineScratch {
    std::size_t rows = 0, work = 0;
    [[nodiscard]] std::size_t bytes() const noexcept { return rows + work; }
};

/// For lines of any of these axes; those without unknowns have none. `eliminated`: the number of one of them, or
/// −1.
template <class T>
LineScratch line_scratch(std::span<const Axis> axes, int eliminated = -1);

/// Where everything lies in one piece of memory: computed before anything is allocated, so that the number of bytes
/// told is the number of bytes used.
struct Layout {
    std::array<AxisKind, 3> kinds;
    Extents unknowns{};            ///< per axis
    int threads = 1;               ///< at work
    LineScratch scratch;           ///< of each thread, one after the other from 0 on
    std::size_t gauge_offset = 0;  ///< one block of lines, for a gauge at a point
    std::size_t bytes = 0;         ///< in all
};

/// `threads` ≥ 1; `eliminated`: an axis, or −1; `part`: what is at hand of the box.
template <class T>
Layout make_layout(const Problem& problem, Memory memory, int threads, int eliminated, const BoxPart& part);

/// Passes of make_schedule_in_place() that go through the field together, plane by plane; or one, any way.
struct Sweep {
    std::size_t first;
    std::size_t passes;
    int planes = 0;  ///< the axis across the planes, of several passes
};

/// Passes in planes, where there are planes enough to keep all threads at work and blocks of `lines` lie across z;
/// else each alone. Planes are those of the middle axis; where that is z, which would tear planes to single
/// numbers, the three passes in the middle share planes of y.
std::vector<Sweep> make_sweeps(const Schedule& schedule, const Layout& layout, int threads, int lines);

/// Each pass alone.
inline std::vector<Sweep> single_passes() {
    return {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}};
}

/// "1 z y forward": the number, the axes' letters, the direction.
std::string describe(const Sweep& sweep, int number, const Schedule& schedule, const std::array<char, 3>& labels);

/// The axis across which the lines of a block along `along` lie, where `middle` is the axis in the middle of the
/// schedule: the same whether passes share planes or not, since lines that share complex numbers round together.
/// Blocks across z are best, but where z is thin they are nearly empty; those along z lie in planes of the middle
/// axis.
inline int axis_across(const Extents& lines, int along, int block, int middle) {
    if (along == 2) return middle == 1 && lines[0] >= block ? 0 : 1;
    const int other = 1 - along;
    return lines[2] < block && lines[other] > lines[2] ? other : 2;
}

/// Lines along axis `along` of `unknowns` that lie across axis `across`, from `in` to `out`, where unknowns begin
/// at element `in_first` and `out_first`.
template <class T>
PassTask<T> lines_of(const Extents& unknowns, int along, int across, FieldView<const T> in, Index in_first,
                     FieldView<T> out, Index out_first) {
    const int slow = 3 - along - across;
    PassTask<T> task;
    task.slow_axis = slow, task.line_axis = across, task.along_axis = along;
    task.in = in.data + in_first;
    task.out = out.data + out_first;
    task.slow = unknowns[slow];
    task.lines = unknowns[across];
    task.in_slow = in.strides[slow], task.in_line = in.strides[across], task.in_sample = in.strides[along];
    task.out_slow = out.strides[slow], task.out_line = out.strides[across], task.out_sample = out.strides[along];
    return task;
}

/// The nodes at the ends of lines that are no unknowns of `kind` are written, too.
template <class T>
void write_ends_of(PassTask<T>& task, const AxisKind& kind) {
    task.zero_below = kind.first > 0;
    task.zero_above = kind.first + kind.unknowns < kind.points;
}

/// Runs a sweep and adds the time it takes to its report.
template <class Step>
void timed(PassReport& report, const Step& step) {
    const auto start = std::chrono::steady_clock::now();
    step();
    report.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Bytes that mode low allows threads beside a field of so many points: 64 MiB, or 2 % of it.
template <class T>
std::size_t room_beside(Index points) {
    return std::max<std::size_t>(std::size_t{64} << 20, static_cast<std::size_t>(points) * sizeof(T) / 50);
}

inline int thread_count(const Options& options) {
    return options.threads > 0 ? options.threads : available_threads();
}

/// A team of threads and the memory they work in.
class TeamMemory {
public:
    /// `bytes` of `given`, or allocated if that is empty. Memory that does not fit is refused before a thread
    /// starts.
    TeamMemory(int threads, std::size_t bytes, std::span<std::byte> given);

    [[nodiscard]] ThreadTeam& team() noexcept { return team_; }
    [[nodiscard]] int size() const noexcept { return team_.size(); }
    [[nodiscard]] std::byte* memory() const noexcept { return memory_; }

    /// body(unit, thread) for `slow` times `each` units, in chunks of whole slow indices where there are enough:
    /// units of one slow index complete each other's pages.
    template <class Body>
    void for_each(Index slow, Index each, const Body& body) {
        const Index chunks = Index{8} * team_.size();
        const Index chunk = slow >= chunks ? slow / chunks * each : std::max<Index>(1, slow * each / chunks);
        team_.parallel_for(slow * each, chunk, [&](Index begin, Index end, int thread) {
            for (Index unit = begin; unit < end; ++unit) body(unit, thread);
        });
    }

private:
    HostBuffer own_;
    std::byte* memory_;
    ThreadTeam team_;
};

/// Threads that transform blocks of lines, each in its scratch.
template <class T>
class LineTeam : public TeamMemory {
public:
    /// Scratch comes first in the memory.
    LineTeam(int threads, const LineScratch& scratch, std::size_t bytes, std::span<std::byte> given)
        : TeamMemory(threads, bytes, given), scratch_(scratch) {}

    [[nodiscard]] Index blocks(const PassTask<T>& task) const {
        return (task.lines + kernels_.lines - 1) / kernels_.lines;
    }

    /// Block `b` at one slow index, by `thread`.
    void run(const PassTask<T>& task, Index slow, Index b, int thread) const {
        std::byte* const scratch = memory() + scratch_.bytes() * static_cast<std::size_t>(thread);
        kernels_.block(task, slow, b * kernels_.lines, reinterpret_cast<T*>(scratch),
                       reinterpret_cast<T*>(scratch + scratch_.rows));
    }

    /// All blocks at one slow index.
    void run_plane(const PassTask<T>& task, Index slow, int thread) const {
        for (Index b = 0; b < blocks(task); ++b) run(task, slow, b, thread);
    }

    /// The whole task, by all threads.
    void run(const PassTask<T>& task) {
        const Index each = blocks(task);
        for_each(task.slow, each, [&](Index unit, int thread) { run(task, unit / each, unit % each, thread); });
    }

private:
    LineScratch scratch_;
    const Kernels<T>& kernels_ = kernels<T>();
};

}  // namespace poisson3d::host
