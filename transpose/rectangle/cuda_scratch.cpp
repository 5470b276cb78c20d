// Small rectangles in place on a CUDA device: transposed to scratch memory and copied back, many at a
// time if they are small. Two sweeps, each at the speed of a transpose out of place or of a copy.
#include <algorithm>

#include "out_of_place/executors.hpp"
#include "poisson3d/device_memory.hpp"
#include "rectangle/executors.hpp"

namespace poisson3d {

namespace {

class CudaThroughScratch final : public InPlaceExecutor {
public:
    CudaThroughScratch(const DenseMatrices& m, Index allowed)
        : m_(m),
          elements_(m.rows * m.columns * m.item),
          chunk_(std::min(m.batch, allowed / (elements_ * m.element_bytes))),
          scratch_(static_cast<std::size_t>(chunk_ * elements_ * m.element_bytes)),
          whole_(moves(chunk_)),
          rest_(m.batch % chunk_ > 0 ? moves(m.batch % chunk_) : Moves{}) {}

    void run(void* data, Stream stream) const override {
        for (Index b = 0; b < m_.batch; b += chunk_) {
            const Moves& moves = b + chunk_ <= m_.batch ? whole_ : rest_;
            auto* const matrices = static_cast<std::byte*>(data) + b * m_.batch_stride * m_.element_bytes;
            moves.there->run(matrices, scratch_.data(), stream);
            moves.back->run(scratch_.data(), matrices, stream);
        }
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::rectangle; }
    [[nodiscard]] std::string description() const override {
        return "rectangle, through scratch, " + std::to_string(chunk_) + " at a time, " + whole_.there->description();
    }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override { return scratch_.size(); }

private:
    struct Moves {
        std::unique_ptr<Executor> there, back;
    };
    /// Of `count` matrices; in scratch memory they lie behind each other.
    [[nodiscard]] Moves moves(Index count) const {
        const Index stride = m_.batch > 1 ? m_.batch_stride : elements_;
        TransposeProblem there;
        there.extents = {m_.rows, m_.columns, m_.item};
        there.permutation = {1, 0, 2};
        there.in = dense_strides(there.extents);
        there.out = dense_strides(permute(there.extents, there.permutation));
        there.element_bytes = m_.element_bytes;
        there.batch = count;
        there.in_batch = stride;
        there.out_batch = elements_;
        TransposeProblem back = there;
        back.extents = {1, 1, elements_};
        back.permutation = {0, 1, 2};
        back.in = back.out = dense_strides(back.extents);
        back.in_batch = elements_;
        back.out_batch = stride;
        return {make_cuda_executor(classify(there), m_.element_bytes, {.backend = Backend::cuda}),
                make_cuda_executor(classify(back), m_.element_bytes, {.backend = Backend::cuda})};
    }

    DenseMatrices m_;
    Index elements_, chunk_;  ///< of a matrix; matrices
    DeviceBuffer scratch_;
    Moves whole_, rest_;
};

}  // namespace

std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_through_scratch(const DenseMatrices& m, Index allowed) {
    if (m.rows * m.columns * m.item * m.element_bytes > allowed) return nullptr;
    return std::make_unique<CudaThroughScratch>(m, allowed);
}

}  // namespace poisson3d
