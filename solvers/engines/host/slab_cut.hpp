// How a field is cut into slabs and blocks, so that either fits a given memory, and where their pieces lie in the
// store: block after block, in a block plane after plane of x, so that the piece that a slab and a block share is
// one run. With M bytes at hand of a field of F bytes a run has about M²/F.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "part.hpp"
#include "passes.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/slab_solver.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::host {

/// Ranges of `count` that have `each` of it, the last one the rest.
struct Cut {
    Index count = 0, each = 1;
    [[nodiscard]] Index pieces() const noexcept { return (count + each - 1) / each; }
    [[nodiscard]] Planes piece(Index number) const noexcept {
        return {number * each, std::min(each, count - number * each)};
    }
};

template <class T>
class SlabCut {
public:
    /// Runs that are so long take no longer to find than to read.
    static constexpr double good_run = std::size_t{8} << 20;
    static constexpr std::size_t small_memory = std::size_t{256} << 20;

    /// `eliminated`: an axis, or −1.
    SlabCut(const Problem& problem, const SlabOptions& options, int eliminated) : problem_(problem) {
        for (int a = 0; a < 3; ++a) unknowns_[a] = axis_kind(problem.grid.axes[a]).unknowns;
        const int middle = std::max(eliminated, 0);
        const int element = kernels<T>().element_lines;
        const auto across = [&](int along) { return axis_across(unknowns_, along, element, middle); };
        block_axis_ = middle == 0 ? 3 - across(0) : 3 - middle;
        // Lines that share complex numbers stay together.
        const Index columns_together = middle != 0 && across(0) == block_axis_ ? element : 1;
        const bool across_x = (middle != 1 && across(1) == 0) || (middle != 2 && across(2) == 0);
        const Index planes_together = across_x ? element : 1;

        const double field = static_cast<double>(unknowns_[0]) * static_cast<double>(row_of_store()) * numbers();
        const std::size_t useful = std::max(small_memory, static_cast<std::size_t>(std::sqrt(field * good_run)));
        const std::size_t bytes = std::min(options.bytes, useful);
        blocks_ = even(unknowns_[block_axis_], bytes / column_bytes(), columns_together);
        stage_ = std::max(block_plane_bytes(), bytes / 8);
        const std::size_t left = bytes > stage_ ? bytes - stage_ : 0;
        // Planes of Dirichlet nodes are in the first and the last slab beside those of unknowns.
        const Index more = problem.grid.axes[0].points - unknowns_[0];
        const Index planes = static_cast<Index>(left / plane_bytes()) - more;
        slabs_ = even(
            unknowns_[0], std::max<Index>(planes, 0),
            planes >= options.planes && options.planes % planes_together == 0 ? options.planes : planes_together);
        require_room(options.bytes, columns_together, planes_together + more);
    }

    [[nodiscard]] const Cut& slabs() const noexcept { return slabs_; }
    [[nodiscard]] const Cut& blocks() const noexcept { return blocks_; }

    [[nodiscard]] BoxPart slab(Index number) const {
        const AxisKind kind = axis_kind(problem_.grid.axes[0]);
        const Planes mine = slabs_.piece(number);
        const Index begin = number == 0 ? 0 : kind.first + mine.first;
        const Index end = number + 1 == slabs_.pieces() ? kind.points : kind.first + mine.first + mine.count;
        BoxPart part = whole_box(problem_);
        part.x = part_of(problem_, 0, begin, end - begin);
        return part;
    }
    [[nodiscard]] BoxPart block(Index number) const {
        BoxPart part = whole_box(problem_);
        (block_axis_ == 1 ? part.y_modes : part.z_modes) = blocks_.piece(number);
        return part;
    }
    /// The slab that has a plane of unknowns.
    [[nodiscard]] Index slab_of(Index unknown) const noexcept { return unknown / slabs_.each; }

    /// Where plane `unknown` of a block begins in the store.
    [[nodiscard]] std::uint64_t place(const BoxPart& block, Index unknown) const noexcept {
        const Index before = block_axis_ == 1 ? block.y_modes.first : block.z_modes.first;
        const Index plane = block.y_modes.count * block.z_modes.count;
        return sizeof(T) *
               (static_cast<std::uint64_t>(before) * static_cast<std::uint64_t>(unknowns_[0] * other_unknowns()) +
                static_cast<std::uint64_t>(unknown) * static_cast<std::uint64_t>(plane));
    }

    [[nodiscard]] Index most_planes() const {
        return std::min(problem_.grid.axes[0].points, slabs_.each + problem_.grid.axes[0].points - unknowns_[0]);
    }
    [[nodiscard]] std::size_t slab_bytes() const { return static_cast<std::size_t>(most_planes()) * plane_bytes(); }
    /// Of pieces on their way between a slab and the store.
    [[nodiscard]] std::size_t stage_bytes() const {
        return std::min(stage_, block_plane_bytes() * static_cast<std::size_t>(slabs_.each));
    }
    [[nodiscard]] std::size_t block_bytes() const {
        return block_plane_bytes() * static_cast<std::size_t>(unknowns_[0]);
    }
    [[nodiscard]] SlabPlan plan(std::size_t workspace) const {
        const std::uint64_t store = static_cast<std::uint64_t>(unknowns_[0]) * row_of_store() * sizeof(T);
        return {
            slabs_.pieces(), most_planes(), blocks_.pieces(), std::max(slab_bytes() + stage_bytes(), block_bytes()),
            workspace,       store,         4 * store};
    }

private:
    static constexpr double numbers() noexcept { return sizeof(T); }
    [[nodiscard]] Index other_unknowns() const noexcept { return unknowns_[3 - block_axis_]; }
    [[nodiscard]] std::uint64_t row_of_store() const noexcept {
        return static_cast<std::uint64_t>(unknowns_[1]) * static_cast<std::uint64_t>(unknowns_[2]);
    }
    [[nodiscard]] std::size_t plane_bytes() const {
        const Extents points = problem_.grid.points();
        return static_cast<std::size_t>(points[1]) * static_cast<std::size_t>(points[2]) * sizeof(T);
    }
    /// Of one index of the axis that blocks are cut along.
    [[nodiscard]] std::size_t column_bytes() const {
        return static_cast<std::size_t>(unknowns_[0]) * static_cast<std::size_t>(other_unknowns()) * sizeof(T);
    }
    [[nodiscard]] std::size_t block_plane_bytes() const {
        return static_cast<std::size_t>(blocks_.each * other_unknowns()) * sizeof(T);
    }

    /// Pieces of at most `most`, as even as whole multiples of `together` let them be; one multiple at least.
    static Cut even(Index count, std::size_t most, Index together) {
        const Index fits = static_cast<Index>(std::min<std::size_t>(most, static_cast<std::size_t>(count)));
        const Index allowed = std::max(fits == count ? count : fits / together * together, together);
        const Index pieces = (count + allowed - 1) / allowed;
        const Index each = (count + pieces - 1) / pieces;
        return {count, std::min(allowed, (each + together - 1) / together * together)};
    }

    void require_room(std::size_t bytes, Index columns, Index planes) const {
        const SlabPlan found = plan(0);
        if (found.buffers <= bytes) return;
        throw Error(ErrorCode::out_of_memory, "out of host memory: a solve from slabs in a file needs at least " +
                                                  format_bytes(found.buffers) + ", for " + std::to_string(planes) +
                                                  (planes == 1 ? " plane" : " planes") + " of axis " +
                                                  problem_.grid.labels[0] + " or " + std::to_string(columns) +
                                                  " of axis " + problem_.grid.labels[block_axis_] + ", may take " +
                                                  format_bytes(bytes));
    }

    Problem problem_;
    Extents unknowns_{};
    int block_axis_ = 1;
    Cut slabs_, blocks_;
    std::size_t stage_ = 0;
};

}  // namespace poisson3d::host
