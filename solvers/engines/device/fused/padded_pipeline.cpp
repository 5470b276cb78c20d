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
// numbers (complex_lines.hpp), and where the lines of x and y are square (complex_planes.hpp), passes 2 to 4 are
// one launch, through a ring of planes of one mode each.
#include <algorithm>
#include <utility>

#include "field_sweeps.hpp"
#include "free_gauge.hpp"
#include "padded_passes.hpp"
#include "pipelines.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
class PaddedPipeline final : public Pipeline<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    PaddedPipeline(const Problem& problem, std::unique_ptr<PaddedPasses<T>> passes, Memory memory, Index room)
        : grid_(problem.grid),
          memory_(memory),
          passes_(std::move(passes)),
          gauge_(problem),
          layout_(layout_for(room)) {
        WorkspaceLayout layout;
        modes_offset_ = layout.take(static_cast<std::size_t>(layout_.modes_size) * sizeof(T));
        planes_offset_ = layout.take(static_cast<std::size_t>(layout_.planes_size) * sizeof(T));
        const Index faces = memory_ == Memory::fast ? face_points(grid_) : 0;
        faces_offset_ = layout.take(static_cast<std::size_t>(faces) * sizeof(T));
        passes_->reserve(layout);
        gauge_.reserve(layout);
        bytes_ = layout.end();
    }

    [[nodiscard]] std::string name() const override {
        if (passes_->ring() > 0)
            return "a kernel a pass, padded lines in " + std::to_string(passes_->ring()) + " planes at a time";
        return "a kernel a pass, padded lines in " + std::to_string(layout_.slabs) +
               (layout_.slabs == 1 ? " slab" : " slabs");
    }
    [[nodiscard]] Schedule schedule() const override { return passes_->schedule(); }
    [[nodiscard]] std::vector<std::string> parts(const std::array<char, 3>& labels) const override {
        const auto [a, b] = layout_.plane;
        return {std::string("1 ") + labels[2] + " forward",
                std::string("2 ") + labels[a] + " " + labels[b] + " both ways",
                std::string("3 ") + labels[2] + " backward"};
    }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }

    void bind(std::byte* workspace) override {
        passes_->bind(workspace);
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
        passes_->rows_there(call, passes_->unknowns()[0], modes_from(0), removed, stream);
        clock.mark(1, stream);
        if (passes_->ring() > 0) passes_->planes(call, modes_, planes_, stream);
        for (Index number = 0; number < layout_.slabs; ++number) {
            const Slab slab = slab_of(number);
            passes_->columns(call, slab, modes_from(slab.first), planes_of(slab.first), stream);
        }
        clock.mark(2, stream);
        passes_->rows_back(call, passes_->unknowns()[0], modes_from(0), stream);
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
        const Extents& unknowns = passes_->unknowns();
        const auto points = static_cast<double>(unknowns[0] * unknowns[1] * unknowns[2]) * sizeof(T);
        const auto padding = [&](int axis) {
            return static_cast<double>(passes_->modes(axis)) / static_cast<double>(unknowns[axis]);
        };
        const double outer = points * (1.0 + padding(2));
        const double planes = passes_->ring() > 0 ? 0 : 4.0 * padding(a);  // those of a ring stay in the cache
        return {outer, points * padding(2) * (2.0 + planes), outer, 0, 0};
    }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return false; }
    [[nodiscard]] bool works_in_solution() const noexcept override { return false; }

private:
    [[nodiscard]] PaddedLayout layout_for(Index room) const {
        const Index staged = memory_ == Memory::fast ? grid_.size() : 0;
        if (passes_->ring() > 0)
            return PaddedLayout::of_planes(grid_, passes_->unknowns(), passes_->modes(), passes_->ring(), staged);
        return {grid_, passes_->unknowns(), passes_->modes(), room - longer_rows(), staged, sizeof(T)};
    }
    /// What longer rows, which end at multiples of 64 bytes, take from the room of planes in mode low.
    [[nodiscard]] Index longer_rows() const {
        constexpr Index end = 64 / static_cast<Index>(sizeof(T));
        const Index row = passes_->row();
        if (memory_ != Memory::low || row == passes_->modes(2)) return 0;
        return passes_->unknowns()[0] * passes_->unknowns()[1] * ((row + end - 1) / end * end - passes_->modes(2));
    }

    [[nodiscard]] Slab slab_of(Index number) const {
        const Index first = number * layout_.slab;
        return {first, std::min(layout_.slab, passes_->row() - first)};
    }
    /// Planes of modes of z, from `first` on where they are in the field of all.
    [[nodiscard]] Unknowns<T> modes_from(Index first) const { return {modes_ + first, layout_.modes, 0}; }
    [[nodiscard]] Unknowns<T> planes_of(Index first) const {
        return layout_.has_planes() ? Unknowns<T>{planes_, layout_.planes, 0} : modes_from(first);
    }

    Grid grid_;
    Memory memory_;
    std::unique_ptr<PaddedPasses<T>> passes_;
    FreeGauge<T> gauge_;
    PaddedLayout layout_;
    std::size_t modes_offset_ = 0, planes_offset_ = 0, faces_offset_ = 0, bytes_ = 0;
    T *modes_ = nullptr, *planes_ = nullptr, *faces_ = nullptr;
};

}  // namespace

template <class T>
std::unique_ptr<Pipeline<T>> make_padded_pipeline(const Problem& problem, Memory memory, bool radix8,
                                                  std::size_t room) {
    auto passes = make_padded_passes<T>(problem, radix8, true);
    if (passes == nullptr) return nullptr;
    if (room == 0) {
        const std::size_t field = static_cast<std::size_t>(problem.grid.size()) * sizeof(T);
        const std::size_t wanted = memory == Memory::fast ? field : memory == Memory::standard ? field / 4 : 0;
        room = std::max(max_work<T>(problem), wanted);
    }
    return std::make_unique<PaddedPipeline<T>>(problem, std::move(passes), memory,
                                               static_cast<Index>(room / sizeof(T)));
}

template std::unique_ptr<Pipeline<float>> make_padded_pipeline(const Problem&, Memory, bool, std::size_t);
template std::unique_ptr<Pipeline<double>> make_padded_pipeline(const Problem&, Memory, bool, std::size_t);

}  // namespace poisson3d::fused
