// Matrices with few rows: the two ends of an output row, which are parts of cache lines, would cost as much as the
// rest of it. If the output rows lie densely behind each other they are one run of bytes, which has but two ends.
#include <algorithm>

#include "out_of_place/host.hpp"

namespace poisson3d::host_transpose {

namespace {

/// Bytes: from here on, strips are faster (docs/benchmarks.md).
constexpr Index longest_row(Index element, Index columns) {
    if (element == 4 && columns > 4096) return 640;
    return element == 4 || element == 8 ? 2048 : 1024;
}

class Thin final : public HostExecutor {
public:
    Thin(const MatrixBatch& matrix, const Setting& setting)
        : HostExecutor(Algorithm::thin, setting), matrix_(matrix) {
        // Pieces of whole matrices if they are small, of columns if they are large.
        const Index bytes = matrix.rows * setting.element_bytes;
        const Index line = line_bytes;
        const Index piece = piece_bytes(bytes * matrix.columns * matrix.count());
        columns_ = std::min(matrix.columns, std::max<Index>(piece / bytes / line, 1) * line);
        cuts_ = (matrix.columns + columns_ - 1) / columns_;
        batches_ = cuts_ > 1 ? 1 : std::clamp<Index>(piece / (bytes * columns_), 1, matrix.batch[1]);
        groups_ = (matrix.batch[1] + batches_ - 1) / batches_;
    }

    [[nodiscard]] std::string description() const override {
        return "thin, output rows of " + std::to_string(matrix_.rows) + " written as one run";
    }

protected:
    void move(const char* in, char* out) const override {
        team().parallel_for(matrix_.batch[0] * groups_ * cuts_, 1, [&](Index begin, Index end, int thread) {
            for (Index piece = begin; piece < end; ++piece) move_piece(piece, in, out, scratch(thread));
            all_movers().finish();
        });
    }

private:
    void move_piece(Index piece, const char* in, char* out, char* scratch) const {
        const Index e = setting_.element_bytes;
        const Index column = piece % cuts_ * columns_;
        const Index group = piece / cuts_ % groups_;
        const Index slow = piece / cuts_ / groups_;
        Matrix m = matrix(matrix_, slow * matrix_.batch[1] + group * batches_, in, out);
        m.in += column * e;
        m.out += m.columns.at(column);
        m.columns.count = std::min(columns_, m.columns.count - column);
        const Batch batch{std::min(batches_, matrix_.batch[1] - group * batches_), matrix_.in_batch[1] * e,
                          matrix_.out_batch[1] * e};
        element_movers().thin(m, batch, scratch, setting_.stream);
    }

    MatrixBatch matrix_;
    Index columns_, cuts_;    // columns of a piece, pieces of a matrix
    Index batches_, groups_;  // matrices of a piece, groups of them in the fast batch index
};

}  // namespace

bool is_thin(const MatrixBatch& matrix, int element_bytes) noexcept {
    return matrix.rows * element_bytes < longest_row(element_bytes, matrix.columns) &&
           matrix.out_pitch == matrix.rows;
}

std::unique_ptr<Executor> make_thin(const MatrixBatch& matrix, const Setting& setting) {
    return std::make_unique<Thin>(matrix, setting);
}

}  // namespace poisson3d::host_transpose
