// Free space by lines that are padded with zeros, in three sweeps:
//
//     1   lines along z       n → 2n modes                     from f to a field of modes of z
//     2   for V modes of z    a: n → 2n · b: n → 2n · times −K · b: 2n → n · a: 2n → n
//     3   lines along z       2n → n                           to u
//
// û = −K f̂, K the kernel of padded_symbol.hpp in the modes of the padded lines. a and b are x and y, b one that is
// free. Zeros are neither read nor stored, and what comes out beyond the box is not written: of the padded box
// there is no more at a time than a plane of a and b for V modes of z, in the memory of a thread, which a cache may
// hold. An axis that is not free has its own transform. Where z is not free the field of its modes is u itself.
#include "padded_engine.hpp"

#include "field_checks.hpp"
#include "field_passes.hpp"
#include "gauge_shift.hpp"
#include "move_rows.hpp"
#include "padded_layout.hpp"
#include "symbol_tables.hpp"

namespace poisson3d::host {

namespace {

template <class T>
class PaddedEngine final : public EngineBase<T> {
public:
    PaddedEngine(const Problem& problem, const Options& options)
        : problem_(problem),
          memory_(FieldPasses<T>::memory_of(options)),
          layout_(problem, options),
          team_(layout_.threads, layout_.scratch, layout_.bytes, options.workspace),
          gauge_(problem) {
        for (int axis = 0; axis < 3; ++axis) {
            for (int other = 0; other < axis && axes_[axis] == nullptr; ++other)
                if (same_lines(problem.grid.axes[axis], problem.grid.axes[other])) axes_[axis] = axes_[other];
            if (axes_[axis] == nullptr)
                axes_[axis] =
                    std::make_shared<PlannedAxis<T>>(problem.grid.axes[axis], problem.discretization, team_.team());
            round_trip_ *= axes_[axis]->round_trip();
        }
        symbol_ = std::make_unique<SymbolTables<T>>(problem, axes_);
        find_partners();
        const auto label = [&](int axis) { return std::string(1, problem.grid.labels[axis]); };
        reports_ = {{"1 " + label(2) + " forward", 0.0, 0.0},
                    {"2 " + label(layout_.a) + " " + label(layout_.b) + " both ways", 0.0, 0.0},
                    {"3 " + label(2) + " backward", 0.0, 0.0}};
    }

    void run(const Call<T>& call, Stream) override {
        if (call.operation == ModeOperation::multiply)
            throw Error(
                ErrorCode::unsupported,
                "the operator of free space cannot be applied to a box of padded lines: u beyond the box is "
                "unknown");
        fields_ = call.fields;
        const Extents& n = layout_.unknowns;
        const double points =
            static_cast<double>(n[0] * n[1] * n[2]) * static_cast<double>(call.fields) * sizeof(T);
        const double padding = static_cast<double>(layout_.modes[2]) / static_cast<double>(n[2]);
        for (std::size_t s = 0; s < 3; ++s) reports_[s].seconds = 0.0;
        reports_[0].bytes = reports_[2].bytes = points * (1.0 + padding);
        reports_[1].bytes = points * 2.0 * padding;
        for (Index field = 0; field < call.fields; ++field) run_field(call.part(field, 1));
    }

    void results(std::span<Result> results, Stream) override { std::ranges::fill(results, Result{}); }

    BoundaryData<T> faces(const BoundaryData<T>&, Stream) override {
        throw Error(ErrorCode::unsupported,
                    "padded lines do not know u on free faces: found the middle transform, wanted automatic");
    }

    [[nodiscard]] Engine kind() const noexcept override { return Engine::host; }
    [[nodiscard]] Memory memory() const noexcept override { return memory_; }
    [[nodiscard]] int threads() const noexcept override { return team_.size(); }
    [[nodiscard]] std::size_t workspace() const noexcept override { return layout_.bytes; }
    [[nodiscard]] const std::vector<PassReport>& passes() const noexcept override { return reports_; }
    [[nodiscard]] std::string description() const override {
        return "host, " + std::to_string(team_.size()) + (team_.size() == 1 ? " thread, " : " threads, ") +
               instruction_set().name + ", padded lines";
    }

private:
    /// Slots of a with the same row of the symbol, one or two.
    void find_partners() {
        const std::vector<std::int32_t>& rows = symbol_->rows(layout_.a);
        std::vector<Index> first(rows.size() + 1, -1);
        for (Index slot = 0; slot < layout_.modes[layout_.a]; ++slot) {
            Index& seen = first[static_cast<std::size_t>(rows[static_cast<std::size_t>(slot)])];
            if (seen < 0 || !problem_.grid.axes[layout_.a].unbounded()) {
                seen = static_cast<Index>(pairs_.size());
                pairs_.push_back({slot, -1});
            } else {
                pairs_[static_cast<std::size_t>(seen)][1] = slot;
            }
        }
    }

    void run_field(const Call<T>& call) {
        const FieldView<T> u = unknowns_of(call.u);
        FieldView<T> modes = u;
        if (layout_.pitch > 0)
            modes = {reinterpret_cast<T*>(team_.memory() + layout_.field_of_modes),
                     {layout_.unknowns[0], layout_.unknowns[1], layout_.modes[2]},
                     {layout_.unknowns[1] * layout_.pitch, layout_.pitch, 1}};
        Call<T> here = call;
        if (layout_.pitch == 0 && overlap<T>(call.f, call.u)) {
            move_rows<T>(call.f, call.u);
            here.f = call.u;
        }
        timed(reports_[0], [&] { team_.run(forward_z(here, modes)); });
        timed(reports_[1], [&] { run_planes(modes, call.restore); });
        timed(reports_[2], [&] { team_.run(backward_z(here, modes, u)); });
        write_dirichlet_planes(call.u, call.boundary, 2);
        gauge_.apply(call.u, team_.team());
    }

    template <class U>
    [[nodiscard]] FieldView<U> unknowns_of(const FieldView<U>& field) const {
        U* data = field.data;
        for (int axis = 0; axis < 3; ++axis) data += layout_.kinds[axis].first * field.strides[axis];
        return {data, layout_.unknowns, field.strides};
    }

    [[nodiscard]] PassTask<T> along_z(Direction direction, FieldView<const T> in, FieldView<T> out) const {
        const int across = axis_across(layout_.unknowns, 2, kernels<T>().element_lines, layout_.b);
        PassTask<T> task = lines_of(layout_.unknowns, 2, across, in, 0, out, 0);
        task.direction = direction;
        task.line = &axes_[2]->line();
        return task;
    }
    PassTask<T> forward_z(const Call<T>& call, FieldView<T> modes) const {
        PassTask<T> task = along_z(Direction::forward, unknowns_of(call.f), modes);
        task.scale = static_cast<T>(call.scale);
        if (call.boundary.any) task.added = &call.boundary;
        return task;
    }
    PassTask<T> backward_z(const Call<T>& call, FieldView<T> modes, FieldView<T> u) const {
        PassTask<T> task = along_z(Direction::backward, FieldView<const T>(modes), u);
        write_ends_of(task, layout_.kinds[2]);
        if (call.boundary.any) task.held = &call.boundary;
        return task;
    }

    void run_planes(FieldView<T> modes, double restore) {
        const SymbolTask<T> symbol = symbol_->task(layout_.a, layout_.b, restore / round_trip_);
        team_.team().parallel_for(layout_.blocks(), 1, [&](Index begin, Index end, int thread) {
            for (Index block = begin; block < end; ++block) run_plane(modes, symbol, block, thread);
        });
    }

    /// V modes of z, those of block `block`.
    void run_plane(FieldView<T> modes, const SymbolTask<T>& symbol, Index block, int thread) {
        const int a = layout_.a, b = layout_.b;
        const Index lanes = kernels<T>().element_lines, first = block * lanes;
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
        along_a.lines = std::min(lanes, layout_.modes[2] - first);
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
            kernels<T>().symbol(symbol, slots[0], first, static_cast<int>(along_a.lines), rows);
            for (const Index slot : slots)
                if (slot >= 0) team_.run(along_b, slot, 0, thread);
        }
        for (Index s = 0; s < back.slow; ++s) team_.run(back, s, 0, thread);
    }

    Problem problem_;
    Memory memory_;
    PaddedLayout<T> layout_;
    LineTeam<T> team_;
    std::array<std::shared_ptr<PlannedAxis<T>>, 3> axes_;
    std::unique_ptr<SymbolTables<T>> symbol_;
    std::vector<std::array<Index, 2>> pairs_;
    GaugeShift<T> gauge_;
    double round_trip_ = 1.0;
    Index fields_ = 1;
    std::vector<PassReport> reports_;
};

}  // namespace

template <class T>
std::unique_ptr<EngineBase<T>> make_padded_engine(const Problem& problem, const Options& options) {
    return std::make_unique<PaddedEngine<T>>(problem, options);
}

template <class T>
std::size_t padded_engine_bytes(const Problem& problem, const Options& options) {
    return PaddedLayout<T>(problem, options).bytes;
}

template std::unique_ptr<EngineBase<float>> make_padded_engine(const Problem&, const Options&);
template std::unique_ptr<EngineBase<double>> make_padded_engine(const Problem&, const Options&);
template std::size_t padded_engine_bytes<float>(const Problem&, const Options&);
template std::size_t padded_engine_bytes<double>(const Problem&, const Options&);

}  // namespace poisson3d::host
