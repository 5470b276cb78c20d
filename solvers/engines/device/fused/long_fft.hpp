// FFTs whose lines do not fit a block's shared memory, in two sweeps through global memory: n = n₁ n₂ elements, p =
// p₁ n₂ + p₂ and k = k₁ + n₁ k₂ (Gentleman and Sande, "Fast Fourier transforms for fun and profit", 1966),
//
//     a(k₁, p₂) = e^{−2πi k₁p₂/n} Σ_{p₁} z(p₁, p₂) e^{−2πi k₁p₁/n₁}        columns, which stay where they are
//     Z(k₁, k₂) = Σ_{p₂} a(k₁, p₂) e^{−2πi k₂p₂/n₂}                        rows, which become columns
//
// A block takes some neighbouring lines of a side through shared memory, and writes neighbours of all of them
// together. Positions and modes are in natural order, so the way back is the same FFT.
//
// Lengths that are no such product (primes, say) go by a chirp (chirp.hpp) of length m ≥ 2n − 1 that is one, in
// four sweeps. Columns of the first FFT read sample −p mod m at position p, times w, so that the second FFT, a
// forward one as well, ends with modes where they belong; rows of the first are multiplied by the filter, of the
// second by w.
#pragma once

#include <optional>
#include <vector>

#include "block_shape.hpp"
#include "chirp_tables.hpp"
#include "poisson3d/stream.hpp"
#include "workspace.hpp"

namespace poisson3d::fused {

using device::BlockShape;
using lines::Compact;

/// One side of all FFTs of a launch, in device memory.
template <class T>
struct LongFftSide {
    int length = 1;             ///< of the side's FFTs
    int other = 1;              ///< how many of them an FFT has
    lines::WorkItems elements;  ///< of one
    lines::LineFft<T, Compact> fft;
    lines::Chirp<T> chirp;
    const Compact::Word* places = nullptr;  ///< in shared memory, of an element and of a mode
    const Complex<T>* twiddles = nullptr;   ///< of columns: of mode k₁ of line p₂ at k₁ · other + p₂
    int pitch = 0;                          ///< from line to line in shared memory
    int shift = 0;                          ///< a block has 2^shift lines
};

/// What a side reads and writes of `ffts` FFTs, which lie in_next and out_next elements apart.
template <class T>
struct LongFftData {
    const Complex<T>* in;
    Complex<T>* out;
    Index ffts, in_next, out_next;
    /// Of a chirp: what columns multiply samples with, or rows modes, of which there are so many; null: all of
    /// them, and nothing.
    const Complex<T>* factors = nullptr;
    Index count = 0;
};

/// Columns may stay where they are. Asynchronous on `stream`; throws Error{device} when refused.
template <class T>
void launch_long_fft(const LongFftSide<T>& side, const BlockShape& shape, bool columns, const LongFftData<T>& data,
                     Stream stream);

template <class T>
class LongFft {
public:
    /// Whether the length, or that of a chirp, is a product of two with tables whose lines fit.
    static bool has(Index length);
    explicit LongFft(Index length);

    void reserve(device::WorkspaceLayout& layout);
    void upload(std::byte* workspace);

    /// Elements of a second area that an FFT wants.
    [[nodiscard]] Index work() const { return by_chirp() ? 2 * total_ : length_; }
    /// Of `ffts` FFTs one behind the other at `lines`; returns where they are then: there, or at `work`.
    Complex<T>* run(Index ffts, Complex<T>* lines, Complex<T>* work, Stream stream) const;

private:
    struct Side {
        Side(Index length, Index other);
        template <class Visit>
        void for_each_array(const Visit& visit);

        lines::FftPlan<T, Compact> plan;
        lines::ChirpTables<T> chirp;
        std::vector<Compact::Word> places;
        std::vector<Complex<T>> twiddles;
        LongFftSide<T> view;
        BlockShape shape;
        std::size_t offset = 0;
    };
    [[nodiscard]] bool by_chirp() const { return total_ > length_; }
    void make_chirp();

    Index length_, total_;  ///< the latter is that of a chirp's FFTs
    Side columns_, rows_;
    std::vector<Complex<T>> chirp_, filter_;
    std::size_t chirp_offset_ = 0, filter_offset_ = 0;
    const Complex<T>*chirp_on_device_ = nullptr, *filter_on_device_ = nullptr;
};

}  // namespace poisson3d::fused
