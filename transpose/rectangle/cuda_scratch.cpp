// Small fields in place on a CUDA device, in any order of axes: transposed to scratch memory and copied back, many
// at a time if they are small. Two sweeps, each at the speed of a transpose out of place or of a copy.
#include <algorithm>

#include "out_of_place/executors.hpp"
#include "poisson3d/device_memory.hpp"
#include "rectangle/executors.hpp"

namespace poisson3d {

namespace {

class CudaThroughScratch final : public InPlaceExecutor {
public:
    CudaThroughScratch(const InPlaceProblem& problem, Index allowed)
        : p_(problem),
          elements_(elements(problem)),
          stride_(p_.batch > 1 ? p_.batch_stride : elements_),
          chunk_(std::min(p_.batch, allowed / (elements_ * p_.element_bytes))),
          scratch_(static_cast<std::size_t>(chunk_ * elements_ * p_.element_bytes)),
          whole_(moves(chunk_)),
          rest_(p_.batch % chunk_ > 0 ? moves(p_.batch % chunk_) : Moves{}) {}

    static Index elements(const InPlaceProblem& p) { return p.extents[0] * p.extents[1] * p.extents[2]; }

    void run(void* data, Stream stream) const override {
        for (Index b = 0; b < p_.batch; b += chunk_) {
            const Moves& moves = b + chunk_ <= p_.batch ? whole_ : rest_;
            auto* const fields = static_cast<std::byte*>(data) + b * stride_ * p_.element_bytes;
            moves.there->run(fields, scratch_.data(), stream);
            moves.back->run(scratch_.data(), fields, stream);
        }
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::rectangle; }
    [[nodiscard]] std::string description() const override {
        return "rectangle, through scratch, " + std::to_string(chunk_) + " at a time, " +
               whole_.there->description();
    }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override { return scratch_.size(); }

private:
    struct Moves {
        std::unique_ptr<Executor> there, back;
    };
    /// Of `count` fields; in scratch memory they lie behind each other.
    [[nodiscard]] Moves moves(Index count) const {
        return {executor(p_.extents, p_.permutation, count, stride_, elements_),
                executor({1, 1, elements_}, {0, 1, 2}, count, elements_, stride_)};
    }
    [[nodiscard]] std::unique_ptr<Executor> executor(const Extents& extents, const Permutation& permutation,
                                                     Index count, Index in_batch, Index out_batch) const {
        const TransposeProblem t{extents,
                                 dense_strides(extents),
                                 dense_strides(permute(extents, permutation)),
                                 permutation,
                                 p_.element_bytes,
                                 count,
                                 in_batch,
                                 out_batch};
        return make_cuda_executor(classify(t), p_.element_bytes, {.backend = Backend::cuda});
    }

    InPlaceProblem p_;
    Index elements_, stride_, chunk_;  ///< of a field; from one to the next; fields
    DeviceBuffer scratch_;
    Moves whole_, rest_;
};

}  // namespace

std::unique_ptr<InPlaceExecutor> make_cuda_through_scratch(const InPlaceProblem& problem, Index allowed) {
    if (CudaThroughScratch::elements(problem) * problem.element_bytes > allowed) return nullptr;
    return std::make_unique<CudaThroughScratch>(problem, allowed);
}

std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_through_scratch(const DenseMatrices& m, Index allowed) {
    return make_cuda_through_scratch(
        {{m.rows, m.columns, m.item}, {1, 0, 2}, m.element_bytes, m.batch, m.batch_stride}, allowed);
}

}  // namespace poisson3d
