// Inner steps of prime radices p from 17 on, whose elements the registers of a thread do not hold. With
// h = (p − 1)/2, s_j = z_j + z_{p−j} and d_j = −i (z_j − z_{p−j})
//
//     even_k = z_0 + Σ_{j=1…h} cos(2πjk/p) s_j,   odd_k = Σ_{j=1…h} sin(2πjk/p) d_j,   k = 0 … h
//
// and elements k and p − k become even_k ± odd_k: p real multiplications for each complex element.
//
// The host takes one butterfly after the other. The threads of a block take all together, as products of two
// matrices, of cosines and sines, with columns s and d, one for each butterfly of each line:
//
//     fold       s_j and d_j take the places of z_j and z_{p−j}
//     multiply   every thread has a tile of the result in registers, 4 rows k of a few columns
//     unfold     even_k ± odd_k take the places of s_k and d_k, when all threads have read those
//
// Where there are more tiles than threads, columns take turns. Host and device share this file.
#pragma once

#include "line_fft.hpp"

namespace poisson3d::lines {

/// `prime_roots`: e^{−2πi k/p}, k = 1 … h.
template <bool in_time, class T, class V, class Barrier>
inline void prime_step(const LineFft<T, Plain>& tables, const RadixStep& step, Complex<V>* lines, int pitch,
                       int count, const Barrier&) {
    constexpr int most = Plain::largest_prime / 2;
    const int half = step.radix / 2;
    const Complex<T>* const prime_roots = tables.twiddles + step.prime_roots;
    along_lines(step.butterflies, count, [&](int butterfly, int line) {
        const Plain::Word word = tables.words[step.first + butterfly];
        Complex<V>* const at = lines + line * pitch + lower_half(word);
        const auto twiddle = [&](int k) {
            return step.twiddle_stride == 1
                       ? Complex<T>{1, 0}
                       : tables.twiddles[step.twiddles + (k - 1) * step.twiddle_stride + upper_half(word)];
        };
        const auto input = [&](int k) {
            const Complex<V> z = at[k * step.stride];
            return in_time ? product(twiddle(k), z) : z;
        };
        Complex<V> sum[most], difference[most];
        const Complex<V> first = at[0];
        Complex<V> all = first;
        for (int j = 0; j < half; ++j) {
            const Complex<V> a = input(j + 1);
            const Complex<V> b = input(step.radix - 1 - j);
            sum[j] = a + b;
            difference[j] = times_i(a - b);
            all = all + sum[j];
        }
        at[0] = all;
        for (int k = 1; k <= half; ++k) {
            Complex<V> even = first;
            Complex<V> odd{};
            for (int j = 1, power = k; j <= half; ++j, power += k) {
                if (power >= step.radix) power -= step.radix;
                const bool upper = power > half;
                const Complex<T> factor = prime_roots[(upper ? step.radix - power : power) - 1];
                even = even + factor.re * sum[j - 1];
                odd = odd + (upper ? -factor.im : factor.im) * difference[j - 1];
            }
            const Complex<V> low = even + odd;
            const Complex<V> high = even - odd;
            at[k * step.stride] = in_time ? low : product(twiddle(k), low);
            at[(step.radix - k) * step.stride] = in_time ? high : product(twiddle(step.radix - k), high);
        }
    });
}

/// As many sums as registers hold beside what they are made of. Columns of a tile are far apart, so that those of
/// neighbouring threads are neighbours.
inline constexpr int tile_rows = 4;
template <class T>
inline constexpr int tile_columns = sizeof(T) == 8 ? 2 : 4;

/// Tiles of a column: rows 0 … h.
constexpr POISSON3D_HD int row_tiles(int radix) {
    return (radix / 2 + tile_rows) / tile_rows;
}
/// Groups of columns that tiles share.
template <class T>
constexpr POISSON3D_HD int column_groups(const RadixStep& step, int count) {
    return (step.butterflies.count * count + tile_columns<T> - 1) / tile_columns<T>;
}

/// Where tile number t < tiles · groups is, of `tiles` tiles of rows and `groups` groups of columns. Neighbouring
/// threads share columns: what they read from shared memory is then half as much.
struct TilePosition {
    int row_tile, group;
};
constexpr POISSON3D_HD TilePosition tile_position(int t, int tiles, int groups) {
    const int two = t / (2 * groups);
    const int within = t - 2 * groups * two;
    const bool shared = 2 * two + 1 < tiles;
    return {2 * two + (shared ? within & 1 : 0), shared ? within >> 1 : within};
}

template <class V, int columns>
struct PrimeTile {
    int rows, group;  ///< first row; −1: none
    Complex<V> even[tile_rows][columns], odd[tile_rows][columns];
};

/// One butterfly of one line.
template <class V>
struct PrimeColumn {
    Complex<V>* at;
    int j;
};

/// The lines of a block as columns, lines side by side.
template <bool in_time, class T, class V>
class PrimeColumns {
public:
    static constexpr int wide = tile_columns<T>;
    using Tile = PrimeTile<V, wide>;

    POISSON3D_HD PrimeColumns(const LineFft<T, Compact>& tables, const RadixStep& step, Complex<V>* lines,
                              int pitch, int count)
        : tables_(tables),
          step_(step),
          lines_(lines),
          pitch_(pitch),
          count_(count),
          columns_(step.butterflies.count * count),
          groups_(column_groups<T>(step, count)) {}

    POISSON3D_HD int groups() const { return groups_; }
    POISSON3D_HD int radix() const { return step_.radix; }

    POISSON3D_HD void fold() const {
        constexpr int ahead = 4;  // loaded before the first is stored
        const int radix = step_.radix;
        const int stride = step_.stride;
        const int threads = BlockThreads::count();
        const int turns = (columns_ + threads - 1) / threads;
        const int along = (columns_ + turns - 1) / turns;
        const int across = threads / along;
        const int y = BlockThreads::index() / along;
        if (y >= across) return;
        POISSON3D_ROLLED
        for (int c = BlockThreads::index() - y * along; c < columns_; c += along) {
            const PrimeColumn<V> column = at(c);
            POISSON3D_ROLLED
            for (int first = 1 + y; first <= radix / 2; first += ahead * across) {
                Complex<V> a[ahead], b[ahead];
                POISSON3D_UNROLL
                for (int i = 0; i < ahead; ++i) {
                    const int j = first + i * across <= radix / 2 ? first + i * across : first;
                    a[i] = load(column.at + j * stride);
                    b[i] = load(column.at + (radix - j) * stride);
                    if constexpr (in_time) {
                        if (!twiddles()) continue;
                        a[i] = product(twiddle(column, j), a[i]);
                        b[i] = product(twiddle(column, radix - j), b[i]);
                    }
                }
                POISSON3D_UNROLL
                for (int i = 0; i < ahead; ++i) {
                    const int j = first + i * across;
                    if (j > radix / 2) continue;
                    store(column.at + j * stride, a[i] + b[i]);
                    store(column.at + (radix - j) * stride, times_minus_i(a[i] - b[i]));
                }
            }
        }
    }

    /// Tile number t of `groups` groups from `first` on. Where there is no such tile it is another one without
    /// sums: with a branch around it all, registers do not hold the tile.
    POISSON3D_HD void multiply(int t, int first, int groups, Tile& tile) const {
        const int tiles = row_tiles(step_.radix);
        const bool none = t >= groups * tiles;
        const TilePosition position = tile_position(none ? 0 : t, tiles, groups);
        tile.rows = position.row_tile * tile_rows;
        tile.group = first + position.group;
        const Complex<V>*low[wide], *high[wide];
        POISSON3D_UNROLL
        for (int c = 0; c < wide; ++c) {
            const Complex<V>* const zeroth = at(column_of(tile, c)).at;
            const Complex<V> z = load(zeroth);
            POISSON3D_UNROLL
            for (int i = 0; i < tile_rows; ++i) tile.even[i][c] = z, tile.odd[i][c] = {};
            low[c] = zeroth + step_.stride;
            high[c] = zeroth + (step_.radix - 1) * step_.stride;
        }
        const int half = step_.radix / 2;
        const Complex<T>* roots = tables_.twiddles + step_.prime_roots + position.row_tile * half * tile_rows;
        POISSON3D_ROLLED
        for (int j = none ? half : 0; j < half; ++j, roots += tile_rows) {
            Complex<T> root[tile_rows];
            load_table(roots, root);
            POISSON3D_UNROLL
            for (int c = 0; c < wide; ++c) {
                const Complex<V> sum = load(low[c]);
                const Complex<V> difference = load(high[c]);
                low[c] += step_.stride;
                high[c] -= step_.stride;
                POISSON3D_UNROLL
                for (int i = 0; i < tile_rows; ++i) {
                    tile.even[i][c] = tile.even[i][c] + root[i].re * sum;
                    tile.odd[i][c] = tile.odd[i][c] + root[i].im * difference;
                }
            }
        }
        POISSON3D_UNROLL
        for (int i = 0; i < tile_rows; ++i) POISSON3D_UNROLL
        for (int c = 0; c < wide; ++c) dft2(tile.even[i][c], tile.odd[i][c]);
        if (!in_time && twiddles()) apply_twiddles(tile);
        if (none) tile.group = -1;
    }

    /// Elements k from `even`, elements p − k from `odd`.
    POISSON3D_HD void unfold(const Tile& tile) const {
        if (tile.group < 0) return;
        const int radix = step_.radix;
        const int stride = step_.stride;
        Complex<V>* zeroth[wide];
        POISSON3D_UNROLL
        for (int c = 0; c < wide; ++c) zeroth[c] = at(column_of(tile, c)).at;
        POISSON3D_UNROLL
        for (int c = 0; c < wide; ++c) {
            if (c > 0 && tile.group + c * groups_ >= columns_) continue;
            POISSON3D_UNROLL
            for (int i = 0; i < tile_rows; ++i) {
                const int k = tile.rows + i;
                if (k > radix / 2) continue;
                store(zeroth[c] + k * stride, tile.even[i][c]);
                if (k > 0) store(zeroth[c] + (radix - k) * stride, tile.odd[i][c]);
            }
        }
    }

private:
    /// Where there is no such column: the first.
    POISSON3D_HD int column_of(const Tile& tile, int c) const {
        const int column = tile.group + c * groups_;
        return column < columns_ ? column : tile.group;
    }
    POISSON3D_HD PrimeColumn<V> at(int column) const {
        const int butterfly = column / count_;
        const auto word = load_table(tables_.words + step_.first + butterfly);
        return {lines_ + (column - butterfly * count_) * pitch_ + lower_half(word), upper_half(word)};
    }
    POISSON3D_HD bool twiddles() const { return step_.twiddle_stride > 1; }
    POISSON3D_HD Complex<T> twiddle(const PrimeColumn<V>& column, int k) const {
        return load_table(tables_.twiddles + step_.twiddles + (k - 1) * step_.twiddle_stride + column.j);
    }
    POISSON3D_HD void apply_twiddles(Tile& tile) const {
        POISSON3D_UNROLL
        for (int c = 0; c < wide; ++c) {
            const PrimeColumn<V> column = at(column_of(tile, c));
            POISSON3D_UNROLL
            for (int i = 0; i < tile_rows; ++i) {
                const int k = tile.rows + i;
                const Complex<T> of_even = twiddle(column, k == 0 ? 1 : k);
                const Complex<T> of_odd = twiddle(column, step_.radix - (k == 0 ? 1 : k));
                tile.even[i][c] = product(k == 0 ? Complex<T>{1, 0} : of_even, tile.even[i][c]);
                tile.odd[i][c] = product(of_odd, tile.odd[i][c]);
            }
        }
    }

    const LineFft<T, Compact>& tables_;  // read again after every barrier: registers are few
    const RadixStep& step_;
    Complex<V>* lines_;
    int pitch_, count_, columns_, groups_;
};

/// `prime_roots`: (cos, sin) of 2πjk/p, the rows of a tile side by side, then j = 1 … h, then tiles.
template <bool in_time, class T, class V, class Barrier>
POISSON3D_HD_CALLED void prime_step(const LineFft<T, Compact>& tables, const RadixStep& step, Complex<V>* lines,
                                    int pitch, int count, const Barrier& barrier) {
#ifdef __CUDA_ARCH__
    __builtin_assume(__isShared(lines));
    constexpr int held = 1;  // tiles of a thread
#else
    constexpr int held = row_tiles(Compact::largest_prime);
#endif
    using Columns = PrimeColumns<in_time, T, V>;
    const Columns columns(tables, step, lines, pitch, count);
    const int threads = BlockThreads::count();
    const int tiles = row_tiles(columns.radix());
    const int most = threads > tiles ? threads / tiles : 1;
    columns.fold();
    barrier();
    POISSON3D_ROLLED
    for (int first = 0; first < columns.groups(); first += most) {
        const int rest = columns.groups() - first;
        const int groups = rest < most ? rest : most;
        typename Columns::Tile tile[held];
        POISSON3D_UNROLL
        for (int i = 0; i < held; ++i)
            columns.multiply(BlockThreads::index() + i * threads, first, groups, tile[i]);
        barrier();
        POISSON3D_UNROLL
        for (int i = 0; i < held; ++i) columns.unfold(tile[i]);
    }
}

}  // namespace poisson3d::lines
