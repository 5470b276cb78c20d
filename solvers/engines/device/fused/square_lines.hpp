// Complex lines of r² elements (complex_lines.hpp) in registers, r of them a thread, with one exchange through
// shared memory where steps of radix 8 have two: with j = t + r s and k = p + r q,
//
//     Z_{p + r q} = Σ_t w_r^{tq} ( w_{r²}^{tp} Σ_s w_r^{sp} z_{t + r s} )
//
// Thread t has elements t + r s, and after the exchange thread p has modes p + r q. Threads of neighbouring lines
// are neighbours, so that columns are read in runs. Real parts are exchanged, then imaginary ones: half of the
// shared memory. Of padded lines the first half is there.
//
// A kernel has its block's lines in the registers of its threads, the host those of all threads in an array.
#pragma once

#include <vector>

#include "complex_symbol.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::fused {

/// r of lines of r² elements whose middle passes are such; 0: others. (Columns there and back, whose blocks wait
/// for memory, are faster with more threads, by steps of radix 8.)
constexpr int square_radix(int rows) {
    return rows == 1024 ? 32 : 0;
}

/// Elements of a line in shared memory: element (i, j) at i (r + 1) + j. Neighbouring lines begin four banks apart.
template <int r>
inline constexpr int square_pitch = (r * (r + 1) + 27) / 32 * 32 + 4;

template <class T, int r>
struct SquareLine {
    static constexpr int count = complex_count<T>, threads = count * r;
    const Complex<T>* twiddles = nullptr;  ///< w^{tp} at p r + t, p = 0 … r
    T* shared = nullptr;                   ///< count · square_pitch
    int none = 0;                          ///< which compilers must not know
};

/// Where DFTs of 32 leave mode k.
template <int r>
constexpr POISSON3D_HD int square_place(int k) {
    return r == 32 ? 4 * (k % 8) + k / 8 : k;
}

/// In place; mode k at square_place(k). `half`: the upper half are zeros, which need not be set.
template <bool half, class T>
POISSON3D_HD void square_dft(Complex<T> (&z)[16]) {
    dft<half>(z);
}
template <bool half, class T>
POISSON3D_HD void square_dft(Complex<T> (&z)[32]) {
    using S = Scalar<T>;
    constexpr S cosines[9] = {S(1),
                              S(0.980785280403230449126182236134239037L),
                              S(0.923879532511286756128183189396788287L),
                              S(0.831469612302545237078788377617905757L),
                              S(0.707106781186547524400844362104849039L),
                              S(0.555570233019602224742830813948532874L),
                              S(0.382683432365089771728459984030398866L),
                              S(0.195090322016128267848284868477022241L),
                              S(0)};
    const auto cosine = [&](int m) {  // cos 2πm/32
        m %= 32;
        if (m > 16) m = 32 - m;
        return m <= 8 ? cosines[m] : -cosines[16 - m];
    };
    POISSON3D_UNROLL
    for (int b = 0; b < 4; ++b) {
        Complex<T> y[8];
        POISSON3D_UNROLL
        for (int a = 0; a < (half ? 4 : 8); ++a) y[a] = z[4 * a + b];
        dft<half>(y);
        POISSON3D_UNROLL
        for (int c = 0; c < 8; ++c)
            z[4 * c + b] = b * c == 0 ? y[c] : product(y[c], Complex<S>{cosine(b * c), -cosine(b * c + 24)});
    }
    POISSON3D_UNROLL
    for (int c = 0; c < 8; ++c) dft4(z[4 * c], z[4 * c + 1], z[4 * c + 2], z[4 * c + 3]);
}

/// The numbers of a block's threads between its barriers.
template <class T, int r>
class SquareNumbers {
public:
    using Line = SquareLine<T, r>;

    bool along_rows = false;  ///< threads of one line are neighbours, rather than those of neighbouring lines

    /// body(line, thread of the line, its numbers)
    template <class Body>
    POISSON3D_HD void for_each(const Body& body) {
        const auto call = [&](int thread, Complex<T>(&z)[r]) {
            body(along_rows ? thread / r : thread % Line::count, along_rows ? thread % r : thread / Line::count, z);
        };
#ifdef __CUDA_ARCH__
        call(BlockThreads::index(), z_[0]);
#else
        for (int thread = 0; thread < Line::threads; ++thread) call(thread, z_[thread]);
#endif
    }

    /// From element j of each thread's numbers, mine + r j of a line, to mode k, mine + r k, at square_place(k).
    /// Begins when shared memory is free, and ends when it is. `early`: twiddles may be read before the numbers are
    /// known.
    template <bool half, bool early = false, class Barrier>
    POISSON3D_HD void transform(const Line& task, const Barrier& barrier) {
        for_each([&](int, int mine, Complex<T>(&z)[r]) {
            square_dft<half>(z);
            // Read anew each time, and, where registers have no room, not before they are needed.
            const Complex<T>* const twiddles = early ? task.twiddles : after(task.twiddles, z[r - 1].re, task.none);
            // w^{t (r − k)} = w^{tr} / w^{tk}
            const Complex<T> of_all = load_table(twiddles + r * r + mine);
            POISSON3D_UNROLL
            for (int k = 1; k <= r / 2; ++k) {
                const Complex<T> w = load_table(twiddles + k * r + mine);
                Complex<T>& number = z[square_place<r>(k)];
                number = product(number, w);
                if (2 * k == r) continue;
                Complex<T>& mirrored = z[square_place<r>(r - k)];
                mirrored = product(mirrored, product(of_all, Complex<T>{w.re, -w.im}));
            }
        });
        exchange(task, barrier);
        for_each([](int, int, Complex<T>(&z)[r]) { square_dft<false>(z); });
    }

private:
    /// Number k of thread m becomes number m of thread k.
    template <class Barrier>
    POISSON3D_HD void exchange(const Line& task, const Barrier& barrier) {
        POISSON3D_UNROLL
        for (int part = 0; part < 2; ++part) {
            for_each([&](int line, int mine, Complex<T>(&z)[r]) {
                T* const to = task.shared + line * square_pitch<r> + mine;
                POISSON3D_UNROLL
                for (int k = 0; k < r; ++k) {
                    const Complex<T>& number = z[square_place<r>(k)];
                    to[k * (r + 1)] = part == 0 ? number.re : number.im;
                }
            });
            barrier();
            for_each([&](int line, int mine, Complex<T>(&z)[r]) {
                const T* const from = task.shared + line * square_pitch<r> + mine * (r + 1);
                POISSON3D_UNROLL
                for (int k = 0; k < r; ++k) (part == 0 ? z[k].re : z[k].im) = from[k];
            });
            barrier();
        }
    }

#ifdef __CUDA_ARCH__
    Complex<T> z_[1][r];
#else
    Complex<T> z_[Line::threads][r];
#endif
};

/// Of a block's columns, padded: the first half.
template <int r, class T, class Columns>
POISSON3D_HD void load_square(SquareNumbers<T, r>& numbers, const Columns& columns) {
    numbers.for_each([&](int line, int mine, Complex<T>(&z)[r]) {
        auto at = columns.read_from(line, mine, r);
        POISSON3D_UNROLL
        for (int j = 0; j < r / 2; ++j) z[j] = Complex<T>{};
        if (line >= columns.there) return;
        POISSON3D_UNROLL
        for (int j = 0; j < r / 2; ++j) z[j] = at.next();
    });
}
template <int r, class T, class Columns>
POISSON3D_HD void store_square_samples(SquareNumbers<T, r>& numbers, const Columns& columns) {
    numbers.for_each([&](int line, int mine, Complex<T>(&z)[r]) {
        if (line >= columns.there) return;
        auto at = columns.write_from(line, mine, r);
        POISSON3D_UNROLL
        for (int j = 0; j < r / 2; ++j) at.next(exchanged(z[square_place<r>(j)]));
    });
}

/// The middle pass (run_complex_symbol).
template <bool slots, int r, class T, class Line, class Barrier>
POISSON3D_HD void run_square_symbol(const ComplexTask<T, Line>& task, const SummedSymbol<T>& symbol, int chunk,
                                    int group, T* shared, const Barrier& barrier) {
    constexpr int count = complex_count<T>, half_row = r * r / 2;
    const SquareLine<T, r> line{task.square, shared, task.none};
    const SymbolMemory<count, T> memory(shared + count * square_pitch<r>, symbol);
    const Index first = Index{task.count} * chunk;
    SquareNumbers<T, r> numbers;
    POISSON3D_ROLLED
    for (int i = 0; i < (slots ? 1 : 2); ++i) {
        const Index slot = symbol.slots[2 * group + i];
        if (slot < 0) break;
        // Made where it is used: what it is made of lies in no registers between.
        const auto columns = [&](int turn) {
            const int here = in_this_turn(turn);
            const Index at = symbol.slots[2 * group + here];
            if constexpr (slots)
                return SlotColumns<T>(task, Index{task.count} * chunk, at, symbol.slots[2 * group + 1]);
            else
                return ComplexColumns<T>(task, Index{task.count} * chunk, at);
        };
        if (i == 0) sum_symbol(symbol, slot, first, task.lines, memory, barrier);
        load_square(numbers, columns(i));
        numbers.template transform<true>(line, barrier);
        numbers.for_each([&](int l, int mine, Complex<T>(&z)[r]) {
            const T* const values =
                shared + count * square_pitch<r> + l * static_cast<int>(symbol_pitch(r * r / 2 + 1));
            Complex<T> divided[r];
            POISSON3D_UNROLL
            for (int k = 0; k < r; ++k) {
                const int row = k < r / 2 ? mine + r * k : 2 * half_row - mine - r * k;
                divided[k] = exchanged(task.factor * values[row] * z[square_place<r>(k)]);
            }
            POISSON3D_UNROLL
            for (int k = 0; k < r; ++k) z[k] = divided[k];
        });
        numbers.template transform<false>(line, barrier);
        store_square_samples(numbers, columns(i));
    }
}

/// What SquareLine has of each thread.
template <class T>
std::vector<Complex<T>> square_twiddles(int r) {
    const RootsOfUnity roots(Index{r} * r);
    std::vector<Complex<T>> all;
    for (Index p = 0; p <= r; ++p)
        for (Index t = 0; t < r; ++t) all.push_back(roots.rounded<T>(p * t));
    return all;
}

/// Of a block, with as many numbers of the symbol beside its lines.
template <int r, class T>
BlockShape square_shape(Index beside) {
    BlockShape shape;
    shape.count = complex_count<T>;
    shape.threads = SquareLine<T, r>::threads;
    shape.bytes = static_cast<std::size_t>(Index{shape.count} * square_pitch<r> + beside) * sizeof(T);
    return shape;
}

}  // namespace poisson3d::fused
