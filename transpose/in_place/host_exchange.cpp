// Squares in place on the host: each tile of the triangle is exchanged with its mirror image.
//
// With T(A) for the transpose of tile A and B for the mirror tile: S := T(A) in scratch, A := T(B), B := S. A tile
// on the diagonal is its own mirror image: S := T(A), A := S. The tiles of the triangle, in their order, are
// divided evenly between the threads; no two pairs share an element.
//
// Items of several elements are rows that are exchanged as they are: S := a, a := b, b := S, piece by piece.
#include <algorithm>
#include <cstring>
#include <utility>

#include "common/host_threads.hpp"
#include "in_place/executors.hpp"
#include "poisson3d/block_order.hpp"

namespace poisson3d {

using namespace host_transpose;

namespace {

constexpr Index default_band = 32;
constexpr Index tiles_per_fetch = 8;
constexpr Index pairs_per_fetch = Index{1} << 12;

class Exchange final : public InPlaceExecutor {
public:
    Exchange(const Squares& squares, const InPlaceOptions& options)
        : squares_(squares),
          bytes_(squares.element_bytes),
          algorithm_(options.algorithm == InPlaceAlgorithm::automatic ? InPlaceAlgorithm::exchange
                                                                      : options.algorithm),
          order_(options.order == BlockOrder::automatic ? BlockOrder::v1b : options.order),
          band_(options.band > 0 ? options.band : default_band),
          threads_(squares.element_bytes,
                   worthwhile_threads(options.threads,
                                      squares.side * squares.side * squares.item * squares.count() * bytes_),
                   best_instructions()) {
        if (algorithm_ == InPlaceAlgorithm::thread_wise)
            tile_ = 1;
        else if (squares.item > 1)  // of rows: as many as share a page or so
            tile_ = std::clamp<Index>(4096 / (squares.item * bytes_), 1, 64);
        else
            tile_ = bytes_ == 16 ? 32 : 64;  // T(A) fits half of the scratch memory
        if (algorithm_ == InPlaceAlgorithm::thread_wise) order_ = BlockOrder::v1;
        tiles_ = (squares.side + tile_ - 1) / tile_;
        region_ = algorithm_ == InPlaceAlgorithm::super_grid ? band_ : tiles_;
    }

    void run(void* data, Stream) const override {
        const auto lock = threads_.lock();
        for (Index row = 0; row < tiles_; row += region_)
            for (Index column = 0; column <= row; column += region_)
                exchange_region(static_cast<char*>(data), {column, row});
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return algorithm_; }
    [[nodiscard]] std::string description() const override {
        std::string text = name(algorithm_);
        if (algorithm_ == InPlaceAlgorithm::thread_wise) return text + ", element by element";
        text += ", tiles of " + std::to_string(tile_) + " × " + std::to_string(tile_) + " in order " + name(order_);
        if (order_ == BlockOrder::v1b) text += ", band " + std::to_string(band_);
        if (algorithm_ == InPlaceAlgorithm::super_grid) text += ", regions of " + std::to_string(band_);
        return text;
    }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override { return threads_.all_scratch_bytes(); }

private:
    /// The tiles of a region that begins at `corner`: of the triangle on the diagonal, all of them off it.
    void exchange_region(char* data, Tile corner) const {
        const Index side = std::min(region_, tiles_ - corner.row);
        const bool diagonal = corner.row == corner.column;
        const Index tiles = diagonal ? order::triangle_keys(side, Diagonal::included) : side * region_;
        const auto exchange_tile = [&](Index k, char* scratch) {
            const Index b = k / tiles;
            const Index key = k - b * tiles;
            Tile tile = diagonal ? order::triangle_tile(order_, side, band_, Diagonal::included, key)
                                 : order::row_major_tile(region_, key);
            tile = {(corner.column + tile.column) * tile_, (corner.row + tile.row) * tile_};
            char* const square = data + batch_offset(b, squares_.batch, squares_.batch_stride) * bytes_;
            if (squares_.item > 1)
                exchange_rows(square, tile, scratch);
            else
                exchange_tiles(square, tile, scratch);
        };
        const Index chunk = tile_ == 1 ? pairs_per_fetch : tiles_per_fetch;
        threads_.team().parallel_for(squares_.count() * tiles, chunk, [&](Index begin, Index end, int thread) {
            for (Index k = begin; k < end; ++k) exchange_tile(k, threads_.scratch(thread));
        });
    }

    [[nodiscard]] char* at(char* square, Index row, Index column) const {
        return square + (row * squares_.pitch + column * squares_.item) * bytes_;
    }
    [[nodiscard]] Index width(Index first) const { return std::min(tile_, squares_.side - first); }

    void exchange_tiles(char* square, Tile tile, char* scratch) const {
        const Index rows = width(tile.row);
        const Index columns = width(tile.column);
        char* const a = at(square, tile.row, tile.column);
        char* const b = at(square, tile.column, tile.row);
        const Index pitch = squares_.pitch * bytes_;
        const auto transpose = [&](const char* from, Side r, char* to, Side c) {
            threads_.element_movers().tile({from, to, r, c}, {0, r.count}, {0, c.count});
        };
        transpose(a, {rows, pitch}, scratch, {columns, rows * bytes_});
        if (a != b) transpose(b, {columns, pitch}, a, {rows, pitch});
        for (Index c = 0; c < columns; ++c)
            std::memcpy(b + c * pitch, scratch + c * rows * bytes_, static_cast<std::size_t>(rows * bytes_));
    }

    void exchange_rows(char* square, Tile tile, char* scratch) const {
        const Index bytes = squares_.item * bytes_;
        for (Index r = tile.row; r < tile.row + width(tile.row); ++r)
            for (Index c = tile.column; c < tile.column + width(tile.column) && c < r; ++c) {
                char* const a = at(square, r, c);
                char* const b = at(square, c, r);
                for (Index done = 0; done < bytes; done += piece_bytes) {
                    const auto n = static_cast<std::size_t>(std::min(piece_bytes, bytes - done));
                    std::memcpy(scratch, a + done, n);
                    std::memcpy(a + done, b + done, n);
                    std::memcpy(b + done, scratch, n);
                }
            }
    }

    static constexpr Index piece_bytes = Index{16} << 10;  // half a first-level cache
    static_assert(piece_bytes <= host_transpose::scratch_bytes);

    Squares squares_;
    Index bytes_;
    InPlaceAlgorithm algorithm_;
    BlockOrder order_;
    Index band_;
    MoverThreads threads_;
    Index tile_, tiles_, region_;  // side of a tile in items; of the square and of a region in tiles
};

}  // namespace

std::unique_ptr<InPlaceExecutor> make_host_exchange(const Squares& squares, const InPlaceOptions& options) {
    return std::make_unique<Exchange>(squares, options);
}

}  // namespace poisson3d
