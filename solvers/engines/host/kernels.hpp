// What the inner loops of the host engine are told: plain data, so that they can be compiled once per
// instruction set and chosen at run time.
#pragma once

#include "boundary_terms.hpp"
#include "line_plan.hpp"

namespace poisson3d::host {

/// An FFT over rows, planned elsewhere: row j of `in` to row k of `out`, each row V/2 complex lines.
template <class T>
struct RowFftCall {
    void (*execute)(const void* plan, T* in, T* out);
    const void* plan;
};

/// A LinePlan as pointers, with one planned FFT per step.
template <class T>
struct LineView {
    Index points = 0;
    const RowRef<T>* load = nullptr;
    const RowRef<T>* store = nullptr;
    const Fold* folds = nullptr;
    Index fold_count = 0;
    const Extension* extensions = nullptr;
    Index extension_count = 0;
    const FftStep* ffts = nullptr;
    Index fft_count = 0;
    const Complex<T>* tables = nullptr;
    const RowFftCall<T>* calls = nullptr;
};

/// What happens between the forward and the backward transform of the middle pass.
enum class ModeOperation { none, divide, multiply };

template <class T>
struct ModeSpace {
    ModeOperation operation = ModeOperation::none;
    const T* line = nullptr;   ///< eigenvalues by slot of the pass's own axis
    const T* slow = nullptr;   ///< … of the slow index
    const T* lanes = nullptr;  ///< … of the index that runs across lines
    T shift = 0;               ///< −λ
    T factor = 1;              ///< normalisation and the caller's scale
    bool singular = false;     ///< mode (0, 0, 0) is set to 0 …
    T* removed = nullptr;      ///< … and its value before goes here
};

/// One pass: for every slow index and every block of V lines: read, forward, mode space, backward, write.
/// Sample j of line l at slow index s is in[s·in_slow + l·in_line + j·in_sample], mode k goes to
/// out[s·out_slow + l·out_line + k·out_sample]. On either side samples of a line are neighbours in memory (sample
/// distance 1), or lines are (line distance 1). `in` and `out` may be the same memory laid out in the same way: a
/// block is read before it is written, and no other block touches it.
template <class T>
struct PassTask {
    const LineView<T>* forward = nullptr;
    const LineView<T>* backward = nullptr;
    ModeSpace<T> modes;
    const T* in = nullptr;
    T* out = nullptr;
    Index slow = 0, lines = 0;
    Index in_slow = 0, in_line = 0, in_sample = 1;
    Index out_slow = 0, out_line = 0, out_sample = 1;
    T shift = 0;     ///< taken from every sample read …
    T scale = 1;     ///< … which is then multiplied with this
    T subtract = 0;  ///< taken from every result (samples that are neighbours only)
    /// Of lines along z. Added to what was read, `lanes` (0 or 1) being the axis across the lines of a block …
    const BoundaryTerms<T>* added = nullptr;
    int lanes = 0;
    /// … and what stands in the end, the lines of a block lying across axis 1: …
    const BoundaryTerms<T>* held = nullptr;
    bool zero_below = false;  ///< … also write 0 (or the data) one sample before …
    bool zero_above = false;  ///< … and after the line: Dirichlet nodes
};

/// Transforms lines line … line + V − 1 (as far as they exist) at one slow index. `x` and `y` are row arrays of
/// the size the line plans ask for, 64-byte aligned.
template <class T>
using BlockKernel = void (*)(const PassTask<T>& task, Index slow, Index line, T* x, T* y);

/// Lines in a block: a row of the arrays is one cache line.
template <class T>
inline constexpr int block_lines = 64 / static_cast<int>(sizeof(T));

struct InstructionSet {
    const char* name;
    BlockKernel<float> single;
    BlockKernel<double> twice;
};

/// The best instruction set this processor has, of those this build contains.
const InstructionSet& instruction_set() noexcept;

template <class T>
BlockKernel<T> block_kernel() noexcept;

}  // namespace poisson3d::host
