// The production transpose on the host: strips of columns, from top to bottom, output cut at cache lines.
//
// Dimensions of the batch that continue a row of the output, or of the input, are made part of the matrix first: in
// xyz → zyx of 7 × 3001 × 5003 the output has rows of 3001·7, not of 7. A strip reads some hundred consecutive
// bytes of every input row and writes its output rows from end to end, so that both fields are read and written in
// long pieces whatever the pitches are. Long strips are cut into ranges of rows.
#include <algorithm>
#include <numeric>

#include "out_of_place/host.hpp"

namespace poisson3d::host_transpose {

namespace {

constexpr Index widest_bytes = 1024;  // of input in a strip's row
constexpr Index panel_bytes = 128;    // of output in a panel's row, for wide strips
constexpr Index cached_scratch = Index{32} << 10;
constexpr Index longest_panel = 4096;  // … for narrow ones

class Strips final : public HostExecutor {
public:
    Strips(const MatrixBatch& matrix, const Setting& setting)
        : HostExecutor(Algorithm::aligned, setting),
          batch_(matrix),
          sides_(HostExecutor::matrix(matrix, 0, nullptr, nullptr)) {
        for (const int d : {1, 0}) extend(d);
        const Index e = setting.element_bytes;
        const Index line = std::max<Index>(line_bytes / e, 1);
        const Index columns = sides_.columns.count;
        const Index whole = line_bytes / std::gcd(line_bytes, e);  // rows whose output ends at a line
        Index widest = std::clamp<Index>(widest_bytes / e, 1, widest_strip);
        while (widest > 1 && strip_scratch(widest, std::max(panel_bytes, whole * e), e) > scratch_bytes)
            widest /= 2;
        const Index wanted = (columns + widest - 1) / widest;
        width_ = std::min(columns, ((columns + wanted - 1) / wanted + line - 1) / line * line);
        strips_ = (columns + width_ - 1) / width_;

        Index bytes = panel_bytes;
        while (bytes < longest_panel && strip_scratch(width_, 2 * bytes, e) <= cached_scratch) bytes *= 2;
        panel_ = std::max<Index>(bytes / (whole * e), 1) * whole;
        const Index rows = sides_.rows.count;
        piece_ = piece_bytes(rows * columns * batch_.count() * e);
        const Index long_enough = std::max<Index>(piece_ / (width_ * e) / panel_, 4) * panel_;
        range_ = std::min(long_enough, (rows + panel_ - 1) / panel_ * panel_);
        ranges_ = (rows + range_ - 1) / range_;
    }

    [[nodiscard]] std::string description() const override {
        return "aligned, strips of " + std::to_string(width_) + " columns";
    }

protected:
    void move(const char* in, char* out) const override {
        const Index pieces = strips_ * ranges_;  // of a matrix
        const Index chunk = std::max<Index>(1, piece_ / 4 / (width_ * range_ * setting_.element_bytes));
        team().parallel_for(batch_.count() * pieces, chunk, [&](Index begin, Index end, int thread) {
            for (Index p = begin; p < end; ++p) move_piece(p / pieces, p % pieces, in, out, scratch(thread));
            all_movers().finish();
        });
    }

private:
    /// Takes batch index d into the rows or into the columns, whichever it continues and is shorter.
    void extend(int d) {
        Side& rows = sides_.rows;
        Side& columns = sides_.columns;
        const Index count = batch_.batch[d];
        const Index e = setting_.element_bytes;
        const bool of_rows = batch_.out_batch[d] == rows.count && rows.inner == rows.count;
        const bool of_columns = batch_.in_batch[d] == columns.count && columns.inner == columns.count;
        if (count == 1 || (!of_rows && !of_columns)) return;
        if (of_rows && (!of_columns || rows.count <= columns.count))
            rows = {rows.count * count, rows.pitch, rows.count, batch_.in_batch[d] * e};
        else
            columns = {columns.count * count, columns.pitch, columns.count, batch_.out_batch[d] * e};
        batch_.batch[d] = 1;
    }

    void move_piece(Index b, Index piece, const char* in, char* out, char* scratch) const {
        Matrix m = HostExecutor::matrix(batch_, b, in, out);
        m.rows = sides_.rows;
        m.columns = sides_.columns;
        const Index column = piece % strips_ * width_;
        const Index row = piece / strips_ * range_;
        element_movers().strip(m, {row, std::min(row + range_, m.rows.count)},
                               {column, std::min(column + width_, m.columns.count)}, panel_, scratch,
                               setting_.stream);
    }

    MatrixBatch batch_;     // what of it has not become part of the sides
    Matrix sides_;          // without pointers
    Index width_, strips_;  // columns of a strip, strips of a matrix
    Index panel_;           // rows
    Index range_, ranges_;  // rows of a piece, pieces of a strip
    Index piece_;           // its bytes, if it is not the last
};

}  // namespace

std::unique_ptr<Executor> make_strips(const MatrixBatch& matrix, const Setting& setting) {
    return std::make_unique<Strips>(matrix, setting);
}

}  // namespace poisson3d::host_transpose
