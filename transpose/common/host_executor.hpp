// A movement on the host is a walk: which pieces there are, in which order, and the kernel that moves one. Threads
// fetch pieces until none is left; no two pieces write the same byte.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "common/executor.hpp"
#include "common/host_threads.hpp"

namespace poisson3d::host_walk {

/// What a walk needs beside the movement. Tests set what is otherwise chosen.
struct Setting {
    int element_bytes = 8;
    int threads = 0;
    bool stream = false;  ///< stores past the caches: pays when the fields do not fit them
    Instructions instructions = Instructions::baseline;
};

/// The part of a movement's batch index b ∈ [0, batch[0]·batch[1]) that moves the pointers, in elements.
constexpr Index batch_offset(Index b, const std::array<Index, 2>& batch, const std::array<Index, 2>& stride) {
    return b / batch[1] * stride[0] + b % batch[1] * stride[1];
}

class Walk : public Executor {
public:
    Walk(Algorithm algorithm, const Setting& setting)
        : setting_(setting),
          workers_(setting.element_bytes, setting.threads, setting.instructions),
          algorithm_(algorithm) {}

    void run(const void* in, void* out, Stream) const final {
        const auto lock = workers_.lock();
        move(static_cast<const char*>(in), static_cast<char*>(out));
    }
    [[nodiscard]] Algorithm algorithm() const noexcept final { return algorithm_; }

protected:
    virtual void move(const char* in, char* out) const = 0;

    [[nodiscard]] ThreadTeam& team() const noexcept { return workers_.team(); }
    [[nodiscard]] char* scratch(int thread) const noexcept { return workers_.scratch(thread); }
    /// Bytes of a piece of work: some for every thread, each worth its fetch.
    [[nodiscard]] Index piece_bytes(Index all_bytes) const noexcept {
        return std::clamp<Index>(all_bytes / (Index{8} * team().size()), Index{32} << 10, Index{1} << 20);
    }
    [[nodiscard]] const Movers& all_movers() const noexcept { return workers_.all_movers(); }
    [[nodiscard]] const ElementMovers& element_movers() const noexcept { return workers_.element_movers(); }
    /// Matrix number b of the batch.
    [[nodiscard]] Matrix matrix(const MatrixBatch& m, Index b, const char* in, char* out) const noexcept {
        const Index e = setting_.element_bytes;
        return {in + batch_offset(b, m.batch, m.in_batch) * e, out + batch_offset(b, m.batch, m.out_batch) * e,
                Side{m.rows, m.in_pitch * e}, Side{m.columns, m.out_pitch * e}};
    }

    Setting setting_;

private:
    Workers workers_;
    Algorithm algorithm_;
};

std::unique_ptr<Executor> make_naive(const MatrixBatch& matrix, const Setting& setting);
/// tile, padded_tile, slices, banded, super_grid.
std::unique_ptr<Executor> make_tiles(const MatrixBatch& matrix, const Setting& setting,
                                     const TransposeOptions& options);
std::unique_ptr<Executor> make_strips(const MatrixBatch& matrix, const Setting& setting);
/// Wants is_thin(matrix, element_bytes).
std::unique_ptr<Executor> make_thin(const MatrixBatch& matrix, const Setting& setting);
std::unique_ptr<Executor> make_row_copies(const RowCopy& copy, const Setting& setting, Algorithm algorithm);

/// Short output rows that lie densely behind each other.
bool is_thin(const MatrixBatch& matrix, int element_bytes) noexcept;

/// The choice that make_host_executor() makes, for a given setting. A copy is copied whatever algorithm is named,
/// and thin is strips where is_thin() does not hold; the executor says what it is.
std::unique_ptr<Executor> make_walk(const Movement& movement, const Setting& setting,
                                    const TransposeOptions& options);

}  // namespace poisson3d::host_walk
