// Free space by lines that are padded with zeros (lines/padded_axis.hpp):
//
//     pass 1    z: n → 2n modes                       from f to the field of modes of z
//     for slabs of modes of z
//       pass 2  a: n → 2n modes                       to planes
//       pass 3  b: n → 2n, times −K, back to n        where they are
//       pass 4  a: 2n → n                             back to the field of modes of z
//     pass 5    z: 2n → n                             to u
//
// û = −K f̂, K the kernel of padded_symbol.hpp in the modes of the padded lines. Zeros are neither read nor stored,
// and what comes out beyond the box is not written: n and 2n above are what crosses memory. Lines are transformed
// as they lie, rows along z and columns. An axis that is not free has its own transform, of as many modes as
// unknowns. Fields of a batch follow each other. Where all three have DFTs of radix 8, modes of z are complex
// numbers (complex_lines.hpp).
#include <algorithm>
#include <bit>

#include "box_passes.hpp"
#include "complex_passes.hpp"
#include "field_sweeps.hpp"
#include "free_gauge.hpp"
#include "fused_shape.hpp"
#include "internal_fields.hpp"
#include "padded_layout.hpp"
#include "padded_lines.hpp"
#include "padded_pass.hpp"
#include "pipelines.hpp"
#include "poisson3d/error.hpp"
#include "symbol_tables.hpp"

namespace poisson3d::fused {

namespace {

Extents unknowns_of(const Grid& grid) {
    return {axis_kind(grid.axes[0]).unknowns, axis_kind(grid.axes[1]).unknowns, axis_kind(grid.axes[2]).unknowns};
}

template <class T>
class PaddedPipeline final : public Pipeline<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    PaddedPipeline(const Problem& problem, const std::array<LineMethod, 3>& methods, Memory memory, bool radix8,
                   Index room)
        : grid_(problem.grid),
          memory_(memory),
          radix8_(radix8),
          unknowns_(unknowns_of(grid_)),
          passes_(problem, methods, &block_shape<T>, 1),
          gauge_(problem),
          complex_(grid_, unknowns_, passes_, early_),
          layout_(grid_, unknowns_, {passes_.unknowns(0), passes_.unknowns(1), row()}, room - longer_rows(),
                  memory == Memory::fast ? grid_.size() : 0, sizeof(T)),
          symbol_(problem, passes_, layout_.plane.a, layout_.plane.b, has(ComplexLines::middle)),
          schedule_(make_schedule_in_place(layout_.plane.b)) {
        const DeviceAxis<T, Compact>& b = passes_.axis(layout_.plane.b);
        shape_ = has(ComplexLines::middle)
                     ? complex_.middle_shape(symbol_.symbol())
                     : symbol_shape(b.shape(passes_.unknowns(2)).count, b.plan().pitch, max_items(b.tables()),
                                    symbol_.symbol().rows, sizeof(T), max_shared());
        if (has(ComplexLines::middle) && shape_.bytes > max_shared()) {
            symbol_.drop_tail();
            shape_ = complex_.middle_shape(symbol_.symbol());
        }
        WorkspaceLayout layout;
        modes_offset_ = layout.take(static_cast<std::size_t>(layout_.modes_size) * sizeof(T));
        planes_offset_ = layout.take(static_cast<std::size_t>(layout_.planes_size) * sizeof(T));
        const Index faces = memory_ == Memory::fast ? face_points(grid_) : 0;
        faces_offset_ = layout.take(static_cast<std::size_t>(faces) * sizeof(T));
        passes_.reserve(layout);
        symbol_.reserve(layout);
        complex_.reserve(layout);
        gauge_.reserve(layout);
        bytes_ = layout.end();
    }

    /// Whether every axis has lines that fit a block's shared memory.
    [[nodiscard]] bool fits() const {
        for (int a = 0; a < 3; ++a)
            if (passes_.axis(a).shape(1).bytes > max_shared()) return false;
        return shape_.bytes <= max_shared();
    }

    [[nodiscard]] std::string name() const override {
        return "a kernel a pass, padded lines in " + std::to_string(layout_.slabs) +
               (layout_.slabs == 1 ? " slab" : " slabs");
    }
    [[nodiscard]] Schedule schedule() const override { return schedule_; }
    [[nodiscard]] std::vector<std::string> parts(const std::array<char, 3>& labels) const override {
        const auto [a, b] = layout_.plane;
        return {std::string("1 ") + labels[2] + " forward",
                std::string("2 ") + labels[a] + " " + labels[b] + " both ways",
                std::string("3 ") + labels[2] + " backward"};
    }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }

    void bind(std::byte* workspace) override {
        passes_.bind(workspace);
        symbol_.upload(workspace);
        complex_.upload(workspace);
        gauge_.upload(workspace);
        modes_ = reinterpret_cast<T*>(workspace + modes_offset_);
        planes_ = reinterpret_cast<T*>(workspace + planes_offset_);
        faces_ = reinterpret_cast<T*>(workspace + faces_offset_);
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const PassClock& clock) override {
        if (call.operation != ModeOperation::divide)
            throw Error(
                ErrorCode::unsupported,
                "the operator of free space cannot be applied to a box of padded lines: u beyond the box is "
                "unknown");
        first(call, removed, stream);
        clock.mark(1, stream);
        for (Index slab = 0; slab < layout_.slabs; ++slab) {
            along_a(schedule_[1], slab, call, stream);
            middle(slab, call, stream);
            along_a(schedule_[3], slab, call, stream);
        }
        clock.mark(2, stream);
        last(call, stream);
        clock.mark(3, stream);
        write_dirichlet_planes(call, stream);
        gauge_.apply(call.u, nullptr, 0, stream);
    }

    [[nodiscard]] FieldView<T> staging() const noexcept override {
        if (memory_ != Memory::fast) return {};
        return {planes_, grid_.points()};
    }
    [[nodiscard]] T* face_staging() const noexcept override {
        return memory_ == Memory::fast && face_points(grid_) > 0 ? faces_ : nullptr;
    }

    [[nodiscard]] std::array<double, 5> traffic() const noexcept override {
        const auto [a, b] = layout_.plane;
        const auto points = static_cast<double>(unknowns_[0] * unknowns_[1] * unknowns_[2]) * sizeof(T);
        const auto padding = [&](int axis) {
            return static_cast<double>(passes_.unknowns(axis)) / static_cast<double>(unknowns_[axis]);
        };
        const double outer = points * (1.0 + padding(2));
        return {outer, points * padding(2) * (2.0 + 4.0 * padding(a)), outer, 0, 0};
    }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return false; }
    [[nodiscard]] bool works_in_solution() const noexcept override { return false; }

private:
    /// Whether these passes, or more of them, are over complex lines.
    [[nodiscard]] bool has(ComplexLines lines) const { return radix8_ && complex_.which() >= lines; }
    /// Numbers of a row of modes of z.
    [[nodiscard]] Index row() const { return has(ComplexLines::all) ? complex_.row() : passes_.unknowns(2); }
    /// What longer rows, which end at multiples of 64 bytes, take from the room of planes in mode low.
    [[nodiscard]] Index longer_rows() const {
        constexpr Index end = 64 / static_cast<Index>(sizeof(T));
        if (memory_ != Memory::low || !has(ComplexLines::all)) return 0;
        return unknowns_[0] * unknowns_[1] * ((row() + end - 1) / end * end - passes_.unknowns(2));
    }

    [[nodiscard]] Slab slab_of(Index number) const {
        const Index first = number * layout_.slab;
        return {first, std::min(layout_.slab, row() - first)};
    }
    /// Planes of modes of z, from `first` on where they are in the field of all.
    [[nodiscard]] Unknowns<T> modes_from(Index first) const { return {modes_ + first, layout_.modes, 0}; }
    [[nodiscard]] Unknowns<T> planes_of(Index first) const {
        return layout_.has_planes() ? Unknowns<T>{planes_, layout_.planes, 0} : modes_from(first);
    }

    /// Where the lines of a pass lie; columns come in twos, since rows are even.
    static void read_from(Task<T>& task, const Unknowns<T>& from, const Pass& pass) {
        const auto [slow, line] = across_lines_of(pass);
        task.in = from.data;
        task.in_slow = from.strides[slow], task.in_line = from.strides[line];
        task.in_sample = from.strides[pass.axis()];
        task.vectors_in = pass.axis() != 2;
    }
    static void write_to(Task<T>& task, const Unknowns<T>& to, const Pass& pass) {
        const auto [slow, line] = across_lines_of(pass);
        task.out = to.data;
        task.out_slow = to.strides[slow], task.out_line = to.strides[line];
        task.out_sample = to.strides[pass.axis()];
        task.vectors_out = pass.axis() != 2;
    }
    [[nodiscard]] bool has_kernels(const DeviceAxis<T, Compact>& axis) const {
        return radix8_ && has_padded_kernels(axis.tables());
    }
    void launch(Role role, const Task<T>& task, const Pass& pass, Stream stream) const {
        const auto [slow, line] = across_lines_of(pass);
        const DeviceAxis<T, Compact>& axis = passes_.axis(pass.axis());
        const BlockShape shape = axis.shape(passes_.unknowns(line));
        if (role != Role::first_with_data && has_kernels(axis))
            launch_padded_pass(role, task, shape, all_blocks(task, early_), stream);
        else
            launch_general_pass(role, Movement::in_place, task, shape, all_blocks(task, early_), stream);
    }

    /// Lines of z are those of unknowns.
    void count_lines(Task<T>& task, const Pass& pass) const {
        const auto [slow, line] = across_lines_of(pass);
        task.slow = unknowns_[slow];
        task.lines = unknowns_[line];
    }

    void first(const Call<T>& call, Removed* removed, Stream stream) const {
        if (has(ComplexLines::all)) return complex_.rows_there(call, modes_from(0), stream);
        const Pass& pass = schedule_[0];
        Task<T> task = passes_.task(pass, call, removed);
        count_lines(task, pass);
        write_to(task, modes_from(0), pass);
        task.vectors_out = task.out_map.in_twos();
        launch(BoxPasses<T, Compact>::role(pass, call), task, pass, stream);
    }
    void last(const Call<T>& call, Stream stream) const {
        if (has(ComplexLines::all)) return complex_.rows_back(call, modes_from(0), stream);
        const Pass& pass = schedule_[4];
        Task<T> task = passes_.task(pass, call, nullptr);
        count_lines(task, pass);
        task.samples = unknowns_[2];
        read_from(task, modes_from(0), pass);
        task.vectors_in = task.in_map.neighbours;
        launch(Role::last, task, pass, stream);
    }

    void along_a(const Pass& pass, Index number, const Call<T>& call, Stream stream) const {
        const Slab slab = slab_of(number);
        const bool forward = pass.direction == Direction::forward;
        const Unknowns<T> from = forward ? modes_from(slab.first) : planes_of(slab.first);
        const Unknowns<T> to = forward ? planes_of(slab.first) : modes_from(slab.first);
        if (has(ComplexLines::all)) return complex_.columns(forward, slab, from, to, stream);
        Task<T> task = passes_.task(pass, call, nullptr);
        task.fields = 1;
        task.slow = unknowns_[layout_.plane.b];
        task.lines = slab.count;
        read_from(task, from, pass);
        write_to(task, to, pass);
        launch(forward ? Role::forward : Role::backward, task, pass, stream);
    }

    void middle(Index number, const Call<T>& call, Stream stream) const {
        const Pass& pass = schedule_[2];
        const Slab slab = slab_of(number);
        if (has(ComplexLines::middle))
            return complex_.middle(call, symbol_.symbol(), symbol_.groups(), slab, planes_of(slab.first), stream);
        Task<T> task =
            passes_.axis(pass.axis()).task(Direction::both, passes_.unknowns(layout_.plane.a), slab.count);
        task.count = shape_.count;
        task.shift = std::bit_width(static_cast<unsigned>(shape_.count)) - 1;
        task.factor = passes_.mode_factor(call);
        read_from(task, planes_of(slab.first), pass);
        write_to(task, planes_of(slab.first), pass);
        Symbol<T> symbol = symbol_.symbol();
        symbol.first_line = slab.first;
        if (has_kernels(passes_.axis(pass.axis())))
            launch_padded_symbol(task, symbol, symbol_.groups(), shape_, early_, stream);
        else
            launch_symbol_pass(task, symbol, symbol_.groups(), shape_, early_, stream);
    }

    Grid grid_;
    Memory memory_;
    bool radix8_;
    Extents unknowns_;
    bool early_ = may_launch_early();
    BoxPasses<T, Compact> passes_;
    FreeGauge<T> gauge_;
    ComplexPasses<T> complex_;
    PaddedLayout layout_;
    SymbolTables<T> symbol_;
    Schedule schedule_;
    BlockShape shape_;  ///< of the middle pass
    std::size_t modes_offset_ = 0, planes_offset_ = 0, faces_offset_ = 0, bytes_ = 0;
    T *modes_ = nullptr, *planes_ = nullptr, *faces_ = nullptr;
};

}  // namespace

template <class T>
std::unique_ptr<Pipeline<T>> make_padded_pipeline(const Problem& problem, Memory memory, bool radix8,
                                                  std::size_t room) {
    const auto methods = padded_methods<T>(problem);
    if (!methods) return nullptr;
    if (room == 0) {
        const std::size_t field = static_cast<std::size_t>(problem.grid.size()) * sizeof(T);
        const std::size_t wanted = memory == Memory::fast ? field : memory == Memory::standard ? field / 4 : 0;
        room = std::max(max_work<T>(problem), wanted);
    }
    const auto make = [&](bool with_radix8) {
        return std::make_unique<PaddedPipeline<T>>(problem, *methods, memory, with_radix8,
                                                   static_cast<Index>(room / sizeof(T)));
    };
    auto pipeline = make(radix8);
    if (radix8 && !pipeline->fits()) pipeline = make(false);
    if (!pipeline->fits()) return nullptr;
    return pipeline;
}

template std::unique_ptr<Pipeline<float>> make_padded_pipeline(const Problem&, Memory, bool, std::size_t);
template std::unique_ptr<Pipeline<double>> make_padded_pipeline(const Problem&, Memory, bool, std::size_t);

}  // namespace poisson3d::fused
