#include "passes.hpp"

#include <limits>

#include "face_kernels.hpp"
#include "planned_axis.hpp"
#include "simd/every_set.hpp"
#include "variable_kernels.hpp"

namespace poisson3d {

POISSON3D_OF_EVERY_SET(host::InstructionSet, instructions)
POISSON3D_OF_EVERY_SET(host::FaceInstructions, face_instructions)
POISSON3D_OF_EVERY_SET(host::VariableInstructions, variable_instructions)

namespace host {

const InstructionSet& instruction_set() noexcept {
    return POISSON3D_OF_SET(best_instructions(), instructions);
}

namespace {

const FaceInstructions& face_instructions() noexcept {
    return POISSON3D_OF_SET(best_instructions(), face_instructions);
}

const VariableInstructions& variable_instructions() noexcept {
    return POISSON3D_OF_SET(best_instructions(), variable_instructions);
}

}  // namespace

template <>
const FaceKernels<float>& face_kernels() noexcept {
    return face_instructions().single;
}
template <>
const FaceKernels<double>& face_kernels() noexcept {
    return face_instructions().double_precision;
}

template <>
const VariableKernels<float, float>& variable_kernels() noexcept {
    return variable_instructions().single;
}
template <>
const VariableKernels<double, double>& variable_kernels() noexcept {
    return variable_instructions().double_precision;
}
template <>
const VariableKernels<double, float>& variable_kernels() noexcept {
    return variable_instructions().mixed;
}

template <>
const Kernels<float>& kernels() noexcept {
    return instruction_set().single;
}
template <>
const Kernels<double>& kernels() noexcept {
    return instruction_set().double_precision;
}

}  // namespace host
}  // namespace poisson3d

namespace poisson3d::host {

namespace {

constexpr Index line_bytes = 64;

/// These arrays are all that there is beside u. Long lines in a small box, on many threads, would be more than u
/// itself: as many threads as 64 MiB or 2 % of u hold, one at least.
template <class T>
int max_threads(const Problem& problem, const Layout& layout) {
    const std::size_t threads = room_beside<T>(problem.grid.size()) / layout.scratch.bytes();
    return static_cast<int>(std::clamp<std::size_t>(threads, 1, std::numeric_limits<int>::max()));
}

constexpr std::size_t round_up(std::size_t bytes) {
    return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

}  // namespace

template <class T>
LineScratch line_scratch(std::span<const Axis> axes, int eliminated) {
    const std::size_t row = sizeof(T) * kernels<T>().lines;
    const std::size_t element = sizeof(T) * kernels<T>().element_lines;
    Index rows = 1;
    Index places = 1;
    for (std::size_t a = 0; a < axes.size(); ++a) {
        const Index unknowns = axis_kind(axes[a]).unknowns;
        if (unknowns == 0) continue;
        rows = std::max(rows, unknowns);
        Index needed = 0;
        if (static_cast<int>(a) == eliminated)  // a line that is solved apart stands behind the work of the block
            needed = lines::elimination_work(unknowns) + unknowns / kernels<T>().element_lines + 1;
        else if (has_fast_transform(axes[a]))
            needed = padded_length_of_line(axes[a]);
        else
            needed = MatrixAxis<T>::padded_rows(unknowns);
        places = std::max(places, needed);
    }
    // An odd number of cache lines, so that element r of the two arrays does not share a cache set.
    return {round_up(static_cast<std::size_t>(rows) * row),
            round_up(static_cast<std::size_t>(places) * element) | line_bytes};
}

template <class T>
Layout make_layout(const Problem& problem, Memory memory, int threads, int eliminated, const BoxPart& part) {
    Layout layout;
    for (int a = 0; a < 3; ++a) {
        layout.kinds[a] = axis_kind(problem.grid.axes[a]);
        layout.unknowns[a] = layout.kinds[a].unknowns;
    }
    layout.unknowns = part.unknowns(layout.unknowns[2]);
    layout.scratch = line_scratch<T>(problem.grid.axes, eliminated);
    layout.threads = memory == Memory::low ? std::min(threads, max_threads<T>(problem, layout)) : threads;
    layout.bytes = layout.scratch.bytes() * static_cast<std::size_t>(layout.threads);
    if (singular(problem) && problem.gauge.point) {
        layout.gauge_offset = layout.bytes;
        const Index along = layout.unknowns[make_schedule_in_place(std::max(eliminated, 0))[4].axis()];
        layout.bytes += round_up(static_cast<std::size_t>(along) * sizeof(T) * kernels<T>().lines);
    }
    return layout;
}

std::vector<Sweep> make_sweeps(const Schedule& schedule, const Layout& layout, int threads, int lines) {
    const int middle = schedule[2].axis();
    const int planes = middle == 2 ? 1 : middle;
    const bool enough = threads == 1 || layout.unknowns[planes] >= Index{8} * threads;
    const bool across_z = axis_across(layout.unknowns, schedule[1].axis(), lines, middle) == 2;
    const bool thick = middle != 1 || layout.unknowns[0] >= lines;
    if (!enough || !across_z || !thick) return single_passes();
    if (middle == 2) return {{0, 1}, {1, 3, planes}, {4, 1}};
    return {{0, 2, planes}, {2, 1}, {3, 2, planes}};
}

std::string describe(const Sweep& sweep, int number, const Schedule& schedule, const std::array<char, 3>& labels) {
    std::string name = std::to_string(number);
    for (std::size_t p = sweep.first; p < sweep.first + sweep.passes; ++p)
        name += std::string(" ") + labels[schedule[p].axis()];
    const std::size_t middle = sweep.passes == 3 ? sweep.first + 1 : sweep.first;
    return name + " " + poisson3d::describe(schedule[middle].direction);
}

namespace {

std::byte* checked(std::span<std::byte> given, std::size_t bytes, const HostBuffer& own) {
    if (given.empty()) return static_cast<std::byte*>(own.data());
    require_workspace(given, bytes, HostBuffer::alignment);
    return given.data();
}

}  // namespace

TeamMemory::TeamMemory(int threads, std::size_t bytes, std::span<std::byte> given)
    : own_(given.empty() ? bytes : 0), memory_(checked(given, bytes, own_)), team_(threads) {
    // By the threads that will use the pages: a first solve should not pay for it.
    team_.parallel_for(static_cast<Index>(bytes), Index{2} << 20, [this](Index begin, Index end, int) {
        std::fill(memory_ + begin, memory_ + end, std::byte{0});
    });
}

template LineScratch line_scratch<float>(std::span<const Axis>, int);
template LineScratch line_scratch<double>(std::span<const Axis>, int);
template Layout make_layout<float>(const Problem&, Memory, int, int, const BoxPart&);
template Layout make_layout<double>(const Problem&, Memory, int, int, const BoxPart&);

}  // namespace poisson3d::host
