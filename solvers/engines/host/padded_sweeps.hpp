// The sweeps over padded lines (padded_engine.cpp), of a box or of what a member has of it: lines along z of some
// planes of x, and planes of a and b for some modes of z.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "padded_layout.hpp"
#include "symbol_tables.hpp"

namespace poisson3d::host {

template <class T>
class PaddedSweeps {
public:
    PaddedSweeps(const Problem& problem, const Options& options, const PaddedLayout<T>& layout)
        : layout_(layout), team_(layout_.threads, layout_.scratch, layout_.bytes, options.workspace) {
        for (int axis = 0; axis < 3; ++axis) {
            for (int other = 0; other < axis && axes_[axis] == nullptr; ++other)
                if (same_lines(problem.grid.axes[axis], problem.grid.axes[other])) axes_[axis] = axes_[other];
            if (axes_[axis] == nullptr)
                axes_[axis] =
                    std::make_shared<PlannedAxis<T>>(problem.grid.axes[axis], problem.discretization, team_.team());
            round_trip_ *= axes_[axis]->round_trip();
        }
        symbol_ = std::make_unique<SymbolTables<T>>(problem, axes_);
        find_partners(problem.grid.axes[layout_.a].unbounded());
    }

    [[nodiscard]] const PaddedLayout<T>& layout() const noexcept { return layout_; }
    [[nodiscard]] LineTeam<T>& team() noexcept { return team_; }
    [[nodiscard]] const LineTeam<T>& team() const noexcept { return team_; }

    /// f of a call to modes of z of as many planes as `modes` has, across which axis lines lie; and modes to u.
    void forward_z(const Call<T>& call, FieldView<T> modes, int across) {
        const Extents unknowns = unknowns_of(modes);
        PassTask<T> task = along_z(Direction::forward, across, begin_of(call, call.f, unknowns), modes);
        task.scale = static_cast<T>(call.scale);
        if (call.boundary.any) task.added = &call.boundary;
        team_.run(task);
    }
    void backward_z(const Call<T>& call, FieldView<T> modes, int across) {
        const Extents unknowns = unknowns_of(modes);
        PassTask<T> task = along_z(Direction::backward, across, {modes.data, unknowns, modes.strides},
                                   begin_of(call, call.u, unknowns));
        write_ends_of(task, layout_.kinds[2]);
        if (call.boundary.any) task.held = &call.boundary;
        team_.run(task);
    }

    /// All of a and b for modes of z, of which `modes` begins with number `first`; no multiple of an element's
    /// lines is cut.
    void columns(FieldView<T> modes, Index first, double restore) {
        const SymbolTask<T> symbol = symbol_->task(layout_.a, layout_.b, restore / round_trip_);
        const Index lanes = kernels<T>().element_lines;
        team_.team().parallel_for((modes.extents[2] + lanes - 1) / lanes, 1,
                                  [&](Index begin, Index end, int thread) {
                                      for (Index block = begin; block < end; ++block)
                                          run_plane(modes, symbol, block * lanes, first + block * lanes, thread);
                                  });
    }

private:
    /// Slots of a with the same row of the symbol, one or two.
    void find_partners(bool in_pairs) {
        const std::vector<std::int32_t>& rows = symbol_->rows(layout_.a);
        std::vector<Index> first(rows.size() + 1, -1);
        for (Index slot = 0; slot < layout_.modes[layout_.a]; ++slot) {
            Index& seen = first[static_cast<std::size_t>(rows[static_cast<std::size_t>(slot)])];
            if (seen < 0 || !in_pairs) {
                seen = static_cast<Index>(pairs_.size());
                pairs_.push_back({slot, -1});
            } else {
                pairs_[static_cast<std::size_t>(seen)][1] = slot;
            }
        }
    }

    [[nodiscard]] Extents unknowns_of(FieldView<T> modes) const {
        return {modes.extents[0], modes.extents[1], layout_.unknowns[2]};
    }
    template <class U>
    [[nodiscard]] static FieldView<U> begin_of(const Call<T>& call, const FieldView<U>& field,
                                               const Extents& unknowns) {
        U* data = field.data;
        for (int axis = 0; axis < 3; ++axis) data += call.boundary.first[axis] * field.strides[axis];
        return {data, unknowns, field.strides};
    }
    [[nodiscard]] PassTask<T> along_z(Direction direction, int across, FieldView<const T> in,
                                      FieldView<T> out) const {
        const Extents lines{in.extents[0], in.extents[1], layout_.unknowns[2]};
        PassTask<T> task = lines_of(lines, 2, across, in, 0, out, 0);
        task.direction = direction;
        task.line = &axes_[2]->line();
        return task;
    }

    /// V modes of z from `first` on, which are `number` and those behind it of all.
    void run_plane(FieldView<T> modes, const SymbolTask<T>& symbol, Index first, Index number, int thread) {
        const int a = layout_.a, b = layout_.b;
        const Index lanes = kernels<T>().element_lines;
        std::byte* const memory = team_.memory() + layout_.first_plane +
                                  (layout_.plane_bytes + layout_.symbol_bytes) * static_cast<std::size_t>(thread);
        T* const plane = reinterpret_cast<T*>(memory);
        T* const rows = reinterpret_cast<T*>(memory + layout_.plane_bytes);
        const Index row = layout_.unknowns[b] * lanes;  // of b in the plane

        PassTask<T> along_a;
        along_a.direction = Direction::forward;
        along_a.line = &axes_[a]->line();
        along_a.slow_axis = b, along_a.line_axis = 2, along_a.along_axis = a;
        along_a.slow = layout_.unknowns[b];
        along_a.lines = std::min(lanes, modes.extents[2] - first);
        along_a.in = along_a.out = modes.data + first;
        along_a.in_slow = along_a.out_slow = modes.strides[b];
        along_a.in_line = along_a.out_line = 1;
        along_a.in_sample = along_a.out_sample = modes.strides[a];
        PassTask<T> back = along_a;
        along_a.out = plane, along_a.out_slow = lanes, along_a.out_sample = row;
        back.direction = Direction::backward;
        back.in = plane, back.in_slow = lanes, back.in_sample = row;

        PassTask<T> along_b = along_a;
        along_b.direction = Direction::both;
        along_b.line = &axes_[b]->line();
        along_b.symbol = {rows, symbol_->rows(b).data()};
        along_b.in = along_b.out = plane;
        along_b.in_slow = along_b.out_slow = row;
        along_b.in_sample = along_b.out_sample = lanes;

        for (Index s = 0; s < along_a.slow; ++s) team_.run(along_a, s, 0, thread);
        for (const std::array<Index, 2>& slots : pairs_) {
            kernels<T>().symbol(symbol, slots[0], number, static_cast<int>(along_a.lines), rows);
            for (const Index slot : slots)
                if (slot >= 0) team_.run(along_b, slot, 0, thread);
        }
        for (Index s = 0; s < back.slow; ++s) team_.run(back, s, 0, thread);
    }

    PaddedLayout<T> layout_;
    LineTeam<T> team_;
    std::array<std::shared_ptr<PlannedAxis<T>>, 3> axes_;
    std::unique_ptr<SymbolTables<T>> symbol_;
    std::vector<std::array<Index, 2>> pairs_;
    double round_trip_ = 1.0;
};

}  // namespace poisson3d::host
