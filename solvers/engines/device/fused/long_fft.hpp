// FFTs whose lines do not fit a block's shared memory, in two sweeps through global memory: n = n₁ n₂ elements, p =
// p₁ n₂ + p₂ and k = k₁ + n₁ k₂ (Gentleman and Sande, "Fast Fourier transforms for fun and profit", 1966),
//
//     a(k₁, p₂) = e^{−2πi k₁p₂/n} Σ_{p₁} z(p₁, p₂) e^{−2πi k₁p₁/n₁}        columns, which stay where they are
//     Z(k₁, k₂) = Σ_{p₂} a(k₁, p₂) e^{−2πi k₂p₂/n₂}                        rows, which become columns
//
// A block takes some neighbouring lines of a side through shared memory, and writes neighbours of all of them
// together. Positions and modes are in natural order, so the way back is the same FFT.
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

/// The `ffts` FFTs that lie one behind the other at `in`. Columns may stay where they are. Asynchronous on
/// `stream`; throws Error{device} when refused.
template <class T>
void launch_long_fft(const LongFftSide<T>& side, const BlockShape& shape, bool columns, Index ffts,
                     const Complex<T>* in, Complex<T>* out, Stream stream);

template <class T>
class LongFft {
public:
    /// Whether the length is a product of two with tables whose lines fit.
    static bool has(Index length);
    explicit LongFft(Index length);

    void reserve(device::WorkspaceLayout& layout);
    void upload(std::byte* workspace);

    /// Of `ffts` FFTs one behind the other from `in`, which is used up, to `out`.
    void run(Index ffts, Complex<T>* in, Complex<T>* out, Stream stream) const;

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
    Side columns_, rows_;
};

}  // namespace poisson3d::fused
