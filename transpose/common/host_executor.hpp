// A transpose out of place on the host: which pieces the fields are cut into, in which order they are moved, and
// the inner loop that moves one. Threads fetch pieces until none is left; no two pieces write the same byte.
#pragma once

#include "common/executor.hpp"
#include "common/host_threads.hpp"
#include "common/matrices.hpp"

namespace poisson3d::host_transpose {

/// Tests set what is otherwise chosen.
struct Setting {
    int element_bytes = 8;
    int threads = 0;
    bool stream = false;  ///< stores past the caches: pays when the fields do not fit them
    Instructions instructions = Instructions::baseline;
};

class HostExecutor : public Executor {
public:
    HostExecutor(Algorithm algorithm, const Setting& setting)
        : setting_(setting),
          threads_(setting.element_bytes, setting.threads, setting.instructions),
          algorithm_(algorithm) {}

    void run(const void* in, void* out, Stream) const final {
        const auto lock = threads_.lock();
        move(static_cast<const char*>(in), static_cast<char*>(out));
    }
    [[nodiscard]] Algorithm algorithm() const noexcept final { return algorithm_; }

protected:
    virtual void move(const char* in, char* out) const = 0;

    [[nodiscard]] ThreadTeam& team() const noexcept { return threads_.team(); }
    [[nodiscard]] char* scratch(int thread) const noexcept { return threads_.scratch(thread); }
    [[nodiscard]] const Movers& all_movers() const noexcept { return threads_.all_movers(); }
    [[nodiscard]] const ElementMovers& element_movers() const noexcept { return threads_.element_movers(); }
    /// Bytes of a piece of work: some for every thread, each worth its fetch.
    [[nodiscard]] Index piece_bytes(Index all_bytes) const noexcept {
        return std::clamp<Index>(all_bytes / (Index{8} * team().size()), Index{32} << 10, Index{1} << 20);
    }
    /// Matrix number b of the batch.
    [[nodiscard]] Matrix matrix(const MatrixBatch& m, Index b, const char* in, char* out) const noexcept {
        const Index e = setting_.element_bytes;
        return {in + batch_offset(b, m.batch, m.in_batch) * e, out + batch_offset(b, m.batch, m.out_batch) * e,
                Side{m.rows, m.in_pitch * e}, Side{m.columns, m.out_pitch * e}, e};
    }

    Setting setting_;

private:
    MoverThreads threads_;
    Algorithm algorithm_;
};

}  // namespace poisson3d::host_transpose
