// Rows that are moved as a whole: yxz, and pitched copies. No element moves within its row.
#include <algorithm>

#include "out_of_place/host.hpp"

namespace poisson3d::host_transpose {

namespace {

class RowCopies final : public HostExecutor {
public:
    RowCopies(const RowCopy& copy, const Setting& setting, Algorithm algorithm)
        : HostExecutor(algorithm, setting), copy_(copy) {
        const Index e = setting.element_bytes;
        for (int d = 0; d < 3; ++d) copy_.in[d] *= e, copy_.out[d] *= e;
        copy_.length *= e;
        in_ = {copy.extents[1] * copy.extents[2], copy_.in[2], copy.extents[2], copy_.in[1]};
        out_ = {copy.extents[1] * copy.extents[2], copy_.out[2], copy.extents[2], copy_.out[1]};
        piece_ = piece_bytes(copy.extents[0] * in_.count * copy_.length);
        rows_ = std::clamp<Index>(piece_ / copy_.length, 1, in_.count);
        groups_ = (in_.count + rows_ - 1) / rows_;
        part_ = rows_ > 1 ? copy_.length : std::min(copy_.length, piece_ / line_bytes * line_bytes);
        parts_ = (copy_.length + part_ - 1) / part_;
    }

    [[nodiscard]] std::string description() const override {
        return "rows of " + std::to_string(copy_.length) + " bytes copied";
    }

protected:
    void move(const char* in, char* out) const override {
        const Index chunk = std::max<Index>(1, piece_ / 4 / (rows_ * part_));
        team().parallel_for(copy_.extents[0] * groups_ * parts_, chunk, [&](Index begin, Index end, int thread) {
            for (Index piece = begin; piece < end; ++piece) {
                const Index start = piece % parts_ * part_;
                const Index row = piece / parts_ % groups_ * rows_;
                const Index slow = piece / parts_ / groups_;
                const Rows task{in + slow * copy_.in[0] + start, out + slow * copy_.out[0] + start, in_, out_,
                                std::min(part_, copy_.length - start)};
                all_movers().rows(task, {row, std::min(row + rows_, in_.count)}, scratch(thread), setting_.stream);
            }
            all_movers().finish();
        });
    }

private:
    RowCopy copy_;         // in bytes
    Side in_, out_;        // its last two indices as one
    Index rows_, groups_;  // rows of a piece, pieces of these
    Index piece_;          // bytes, more or less
    Index part_, parts_;   // bytes of a long row in one piece, pieces of a row
};

}  // namespace

std::unique_ptr<Executor> make_row_copies(const RowCopy& copy, const Setting& setting, Algorithm algorithm) {
    return std::make_unique<RowCopies>(copy, setting, algorithm);
}

}  // namespace poisson3d::host_transpose
