// Where everything of a solve with padded lines lies in one piece of memory (padded_engine.cpp), computed before
// anything is allocated.
#pragma once

#include "padded_symbol.hpp"
#include "passes.hpp"
#include "planned_axis.hpp"

namespace poisson3d::host {

inline std::array<Axis, 3> padded_axes(const Grid& grid) {
    return {lines::padded_axis(grid.axes[0]), lines::padded_axis(grid.axes[1]), lines::padded_axis(grid.axes[2])};
}

template <class T>
struct PaddedLayout {
    std::array<AxisKind, 3> kinds;
    Extents unknowns{}, modes{};  ///< modes: of the padded axes
    int a = 0, b = 1;             ///< the axes of a plane; b in the middle
    int threads = 1;
    LineScratch scratch;                              ///< of each thread, from 0 on
    std::size_t plane_bytes = 0, symbol_bytes = 0;    ///< of each thread
    std::size_t first_plane = 0, field_of_modes = 0;  ///< where they begin
    Index pitch = 0;                                  ///< of rows of modes of z; 0: they stand in u
    std::size_t bytes = 0;

    /// `own_field`: with room for the field of modes where z is free.
    PaddedLayout(const Problem& problem, const Options& options, bool own_field = true) {
        const std::array<Axis, 3> padded = padded_axes(problem.grid);
        for (int axis = 0; axis < 3; ++axis) {
            kinds[axis] = axis_kind(problem.grid.axes[axis]);
            unknowns[axis] = kinds[axis].unknowns;
            modes[axis] = axis_kind(padded[axis]).unknowns;
        }
        if (problem.grid.axes[0].unbounded() && !problem.grid.axes[1].unbounded()) std::swap(a, b);
        const Index lanes = kernels<T>().element_lines;
        const auto row = static_cast<std::size_t>(lanes) * sizeof(T);
        scratch = line_scratch<T>(padded);
        plane_bytes = round_up(static_cast<std::size_t>(modes[a] * unknowns[b]) * row);
        symbol_bytes = round_up(static_cast<std::size_t>(symbol_rows(problem.grid.axes[b])) * row);
        threads = static_cast<int>(std::min<Index>(thread_count(options), std::max(blocks(), unknowns[0])));
        if (options.memory == Memory::low) threads = fewer_threads(problem.grid.size());
        const auto team = static_cast<std::size_t>(threads);
        first_plane = round_up(scratch.bytes() * team);
        field_of_modes = first_plane + (plane_bytes + symbol_bytes) * team;
        bytes = field_of_modes;
        if (!problem.grid.axes[2].unbounded() || !own_field) return;
        // An odd number of cache lines, so that rows do not share a cache set.
        pitch = static_cast<Index>(round_up(static_cast<std::size_t>(modes[2]) * sizeof(T)) | line_bytes) /
                static_cast<Index>(sizeof(T));
        bytes += static_cast<std::size_t>(unknowns[0] * unknowns[1] * pitch) * sizeof(T);
    }

    /// Of V modes of z.
    [[nodiscard]] Index blocks() const {
        const Index lanes = kernels<T>().element_lines;
        return (modes[2] + lanes - 1) / lanes;
    }

private:
    static constexpr std::size_t line_bytes = 64;
    static constexpr std::size_t round_up(std::size_t bytes) {
        return (bytes + line_bytes - 1) / line_bytes * line_bytes;
    }

    /// As many as 64 MiB or 2 % of the field hold.
    [[nodiscard]] int fewer_threads(Index points) const {
        return static_cast<int>(
            std::clamp<std::size_t>(room_beside<T>(points) / (scratch.bytes() + plane_bytes + symbol_bytes), 1,
                                    static_cast<std::size_t>(threads)));
    }
};

}  // namespace poisson3d::host
