// One element after the other, and tiles in a block order.
//
// A processor's cache does what shared memory does on a GPU and has no banks, so tile, padded_tile and slices
// (which gets the planes of a rotation one by one) are the same loop in row-major order; banded takes the order it
// is given, super_grid one loop per region of tiles. Stores are ordinary ones.
#include <algorithm>
#include <cstring>

#include "baselines/host.hpp"

namespace poisson3d::host_transpose {

namespace {

constexpr Index tile_side = 64;
constexpr Index tiles_per_fetch = 16;
constexpr Index default_band = 32;

template <int Bytes>
void move_elements(const Matrix& m, Index first, Index last) {
    for (Index r = first; r < last; ++r)
        for (Index c = 0; c < m.columns.count; ++c)
            std::memcpy(m.out + c * m.columns.pitch + r * Bytes, m.in + r * m.rows.pitch + c * Bytes, Bytes);
}

class Naive final : public HostExecutor {
public:
    Naive(const MatrixBatch& matrix, const Setting& setting)
        : HostExecutor(Algorithm::naive, setting), matrix_(matrix) {}

    [[nodiscard]] std::string description() const override { return "naive, element by element"; }

protected:
    void move(const char* in, char* out) const override {
        using Function = void (*)(const Matrix&, Index, Index);
        static constexpr Function functions[] = {&move_elements<1>, &move_elements<2>, &move_elements<4>,
                                                 &move_elements<8>, &move_elements<16>};
        const Function function = functions[__builtin_ctz(static_cast<unsigned>(setting_.element_bytes))];
        const Index chunk = std::max<Index>(1, (Index{1} << 16) / matrix_.columns);
        for (Index b = 0; b < matrix_.count(); ++b)
            team().parallel_for(matrix_.rows, chunk, [&](Index begin, Index end, int) {
                function(matrix(matrix_, b, in, out), begin, end);
            });
    }

private:
    MatrixBatch matrix_;
};

class Tiles final : public HostExecutor {
public:
    Tiles(const MatrixBatch& matrix, const Setting& setting, const TransposeOptions& options)
        : HostExecutor(options.algorithm, setting),
          matrix_(matrix),
          columns_((matrix.columns + tile_side - 1) / tile_side),
          rows_((matrix.rows + tile_side - 1) / tile_side) {
        const bool banded = options.algorithm == Algorithm::banded;
        const BlockOrder chosen = options.order == BlockOrder::automatic ? BlockOrder::v1bf : options.order;
        order_ = banded ? chosen : BlockOrder::row_major;
        band_ = options.band > 0 ? options.band : default_band;
        region_ = options.algorithm == Algorithm::super_grid ? band_ : std::max(columns_, rows_);
    }

    [[nodiscard]] std::string description() const override {
        std::string text = std::string(name(algorithm())) + ", tiles of " + std::to_string(tile_side) + " × " +
                           std::to_string(tile_side) + " in order " + name(order_);
        if (order_ == BlockOrder::v1bf) text += ", band " + std::to_string(band_);
        if (algorithm() == Algorithm::super_grid) text += ", regions of " + std::to_string(band_);
        return text;
    }

protected:
    void move(const char* in, char* out) const override {
        for (Index y = 0; y < rows_; y += region_)
            for (Index x = 0; x < columns_; x += region_)
                move_region({x, y}, std::min(region_, columns_ - x), std::min(region_, rows_ - y), in, out);
    }

private:
    void move_region(Tile corner, Index columns, Index rows, const char* in, char* out) const {
        const Index tiles = columns * rows;
        const Index band = order::rectangle_band(order_, columns, band_);
        const auto move_tile = [&](Index k) {
            const Tile tile = order::v1bf_tile(columns, rows, band, k % tiles);
            const Index c = (corner.column + tile.column) * tile_side;
            const Index r = (corner.row + tile.row) * tile_side;
            element_movers().tile(matrix(matrix_, k / tiles, in, out), {r, std::min(r + tile_side, matrix_.rows)},
                                  {c, std::min(c + tile_side, matrix_.columns)});
        };
        team().parallel_for(matrix_.count() * tiles, tiles_per_fetch, [&](Index begin, Index end, int) {
            for (Index k = begin; k < end; ++k) move_tile(k);
        });
    }

    MatrixBatch matrix_;
    Index columns_, rows_;  // in tiles
    BlockOrder order_;
    Index band_, region_;
};

}  // namespace

std::unique_ptr<Executor> make_naive(const MatrixBatch& matrix, const Setting& setting) {
    return std::make_unique<Naive>(matrix, setting);
}

std::unique_ptr<Executor> make_tiles(const MatrixBatch& matrix, const Setting& setting,
                                     const TransposeOptions& options) {
    return std::make_unique<Tiles>(matrix, setting, options);
}

}  // namespace poisson3d::host_transpose
