// The five passes step by step, for reference: 1-D FFTs by cuFFT in batches, what comes before and after them
// (launch_phase.hpp), and between passes the transposes. Lines are transformed where they lie, in a dense box of
// all points:
//
//     pass 1   f, lines along z   → second  [x][y][z]     rotate        → first   [y][z][x]
//     pass 2   lines along x in first                     rotate        → second  [z][x][y]
//     pass 3   lines along y in second, there and back    rotate back   → first   [y][z][x]
//     pass 4   lines along x in first                     rotate back   → second  [x][y][z]
//     pass 5   second, lines along z   → u
//
// In memory mode standard u is the first field, which is not written before all of f is read; in mode low it is
// both, and the rotations are done in place. Dirichlet nodes are moved with the rest; the last pass writes them.
#include <algorithm>
#include <variant>
#include <vector>

#include "box_passes.hpp"
#include "field_sweeps.hpp"
#include "line_batches.hpp"
#include "pipelines.hpp"
#include "poisson3d/in_place.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d::cufft {

namespace {

template <class T>
class CufftPipeline final : public Pipeline<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    /// `room`: bytes for lines, and as many for cuFFT; 0: half each of what tables leave of max_work().
    CufftPipeline(const Problem& problem, Memory memory, std::size_t room)
        : grid_(problem.grid),
          memory_(memory),
          passes_(problem, {LineMethod::whole_ffts, LineMethod::whole_ffts, LineMethod::whole_ffts},
                  &phase_shape<T>, 1) {
        WorkspaceLayout layout;
        passes_.reserve(layout);
        if (room == 0) room = (max_work<T>(problem) - std::min(layout.end(), max_work<T>(problem) / 2)) / 2;
        room -= std::min(room / 2, Pipeline<T>::alignment);
        std::size_t lines = 0;
        std::size_t fft = 1;  // cuFFT fails where an area of no bytes is its data
        for (int a = 0; a < 3; ++a) {
            const std::array<Index, 2> across{passes_.unknowns((a + 1) % 3), passes_.unknowns((a + 2) % 3)};
            batches_.emplace_back(passes_.axis(a), across, BatchRoom{room, room});
            lines = std::max(lines, batches_.back().lines_bytes());
            fft = std::max(fft, batches_.back().fft_bytes());
        }
        const std::size_t field = static_cast<std::size_t>(grid_.size()) * sizeof(T);
        first_offset_ = layout.take(memory == Memory::fast ? field : 0);
        second_offset_ = layout.take(memory == Memory::low ? 0 : field);
        faces_offset_ =
            layout.take(memory == Memory::fast ? static_cast<std::size_t>(face_points(grid_)) * sizeof(T) : 0);
        lines_offset_ = layout.take(lines);
        fft_offset_ = layout.take(fft);
        bytes_ = layout.end();
    }

    [[nodiscard]] std::string name() const override {
        return memory_ == Memory::low ? "cuFFT batches, rotations in place" : "cuFFT batches and transposes";
    }
    [[nodiscard]] Schedule schedule() const override { return make_schedule(); }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }

    void bind(std::byte* workspace) override {
        passes_.bind(workspace);
        for (LineBatches<T>& batches : batches_) batches.bind(workspace + lines_offset_, workspace + fft_offset_);
        if (memory_ == Memory::fast) first_ = reinterpret_cast<T*>(workspace + first_offset_);
        if (memory_ != Memory::low) second_ = reinterpret_cast<T*>(workspace + second_offset_);
        if (memory_ == Memory::fast && face_points(grid_) > 0)
            faces_ = reinterpret_cast<T*>(workspace + faces_offset_);
        rotations_.clear();
        for (const Pass& pass : make_schedule()) {
            if (pass.movement == identity_order) continue;
            const Extents in = permute(grid_.points(), pass.order);
            const Extents out = permute(in, pass.movement);
            constexpr int element = sizeof(T);
            constexpr Index little_scratch = Index{1} << 20;  // there are four of them
            if (memory_ == Memory::low)
                rotations_.emplace_back(TransposeInPlace(
                    {in, pass.movement, element}, {.backend = Backend::cuda, .scratch_bytes = little_scratch}));
            else
                rotations_.emplace_back(
                    Transpose({in, dense_strides(in), dense_strides(out), pass.movement, element},
                              {.backend = Backend::cuda}));
        }
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const PassClock& clock) override {
        const auto field = [&](Buffer buffer) {
            T* const own = buffer == Buffer::first ? first_ : second_;
            return own != nullptr ? own : call.u.data;
        };
        passes_.start(call, removed, stream);
        std::size_t number = 0;
        for (const Pass& pass : make_schedule()) {
            const auto [slow, line] = across_lines_of(pass);
            const LineBatches<T>& batches = batches_[static_cast<std::size_t>(pass.axis())];
            const Role role = BoxPasses<T, Plain>::role(pass, call);
            Task<T> task = passes_.task(pass, call, removed);
            const Strides strides = strides_by_axis(pass.order);
            T* const here = field(pass.from == Buffer::input ? Buffer::second : pass.from);
            if (pass.from != Buffer::input) {
                task.in = here + passes_.first_unknown(call, strides);
                task.in_slow = strides[slow];
                task.in_line = strides[line];
            }
            if (pass.to != Buffer::output) {
                task.out = here + passes_.first_unknown(call, strides);
                task.out_slow = strides[slow];
                task.out_line = strides[line];
            } else if (const auto block = passes_.gauge(call, task)) {
                batches.run_block(role, block->task, block->slow, block->line, stream);
            }
            batches.run(role, task, stream);
            if (pass.to == Buffer::output)
                write_dirichlet_planes(call, stream);
            else
                rotate(number, here, field(pass.to), stream);
            clock.mark(static_cast<int>(++number), stream);
        }
    }

    /// Pass 1 writes the second field, pass 5 reads it.
    [[nodiscard]] FieldView<T> staging() const noexcept override {
        if (memory_ != Memory::fast) return {};
        return {first_, grid_.points()};
    }
    [[nodiscard]] T* face_staging() const noexcept override { return faces_; }

    [[nodiscard]] std::array<double, 5> traffic() const noexcept override {
        const auto [x, y, z] = passes_.unknowns();
        const double field = sizeof(T) * static_cast<double>(x * y * z);
        std::array<double, 5> bytes{};
        std::size_t number = 0;
        for (const Pass& pass : make_schedule()) {
            const DeviceAxis<T, Plain>& axis = passes_.axis(pass.axis());
            const double lines = field * axis.plan().pitch / static_cast<double>(axis.unknowns());
            const double moved = pass.movement == identity_order ? 0 : 2 * field;
            bytes[number++] = 2 * field + moved + (pass.direction == Direction::both ? 8 : 4) * lines;
        }
        return bytes;
    }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return memory_ != Memory::fast; }
    [[nodiscard]] bool works_in_solution() const noexcept override { return memory_ == Memory::low; }

private:
    /// Of a dense box whose axes lie in `order`.
    [[nodiscard]] Strides strides_by_axis(const Permutation& order) const {
        const Strides dense = dense_strides(permute(grid_.points(), order));
        Strides strides{};
        for (int p = 0; p < 3; ++p) strides[order[p]] = dense[p];
        return strides;
    }
    void rotate(std::size_t number, T* from, T* to, Stream stream) const {
        if (const auto* const in_place = std::get_if<TransposeInPlace>(&rotations_[number]))
            in_place->execute(to, stream);
        else
            std::get<Transpose>(rotations_[number]).execute(from, to, stream);
    }

    Grid grid_;
    Memory memory_;
    BoxPasses<T, Plain> passes_;
    std::vector<LineBatches<T>> batches_;                               ///< by axis
    std::vector<std::variant<Transpose, TransposeInPlace>> rotations_;  ///< by pass
    std::size_t first_offset_ = 0, second_offset_ = 0, faces_offset_ = 0, lines_offset_ = 0, fft_offset_ = 0,
                bytes_ = 0;
    T* first_ = nullptr;   ///< null: it is u
    T* second_ = nullptr;  ///< null: it is u
    T* faces_ = nullptr;
};

}  // namespace

template <class T>
std::unique_ptr<Pipeline<T>> make_cufft_pipeline(const Problem& problem, Memory memory, std::size_t room) {
    return std::make_unique<CufftPipeline<T>>(problem, memory, room);
}

template std::unique_ptr<Pipeline<float>> make_cufft_pipeline(const Problem&, Memory, std::size_t);
template std::unique_ptr<Pipeline<double>> make_cufft_pipeline(const Problem&, Memory, std::size_t);

}  // namespace poisson3d::cufft
