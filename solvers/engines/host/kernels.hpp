// What the inner loops of the host engine are told: plain data, so that they can be compiled once per
// instruction set and chosen at run time.
#pragma once

#include "boundary_terms.hpp"
#include "chirp.hpp"
#include "constant_line.hpp"
#include "line_parts.hpp"
#include "reach.hpp"
#include "schedule.hpp"
#include "symmetric.hpp"

namespace poisson3d::host {

using lines::Plain;

/// What code may know of the samples that the butterflies of a line read or write, where nothing is combined: all
/// are there, and none changes its sign, or those of the upper half of every butterfly do; or that stands in the
/// table.
enum class SampleSigns : std::uint8_t { listed, plain, upper_negative };

/// The lines of an axis: the tables of lines/axis_tables.hpp, as the inner loops read them.
template <class T>
struct LineTables {
    lines::Kind form = lines::Kind::type2;
    Index samples = 0;  ///< of a line: unknowns …
    Index modes = 0;    ///< … and modes: as many, but of padded lines
    lines::ButterflyPairs<T, Plain> sample_butterflies, mode_butterflies;
    lines::Symmetric<T, Plain> symmetric;  ///< the samples' side of kind one
    lines::PairMap<T, Plain> samples_in, modes_out, modes_in, samples_out;
    SampleSigns read = SampleSigns::listed, written = SampleSigns::listed;  ///< by samples_in and samples_out
    lines::LineFft<T, Plain> fft;  ///< inner steps, those of the convolution if there is a chirp
    lines::Chirp<T> chirp;
    const Complex<T>* eigenvalue_pairs =
        nullptr;  ///< eigenvalues of pair m of butterfly pair o at m · count + o: first and second
    /// Of symmetric_chirp.hpp: without butterfly pairs; a pair is members 2m and 2m + 1 of class o.
    [[nodiscard]] bool symmetric_chirp() const { return symmetric.radix != 0 && chirp.length > 0; }
};

template <class T>
struct ModeSpace {
    ModeOperation operation = ModeOperation::none;
    const T* slow = nullptr;   ///< eigenvalues by slot of the slow index
    const T* lanes = nullptr;  ///< … of the index that runs across lines
    T shift = 0;               ///< −λ
    T factor = 1;              ///< normalisation and the caller's scale
    bool singular = false;     ///< mode (0, 0, 0) is set to 0 …
    T* removed = nullptr;      ///< … and its value before goes here
};

/// An axis that is eliminated in mode space (elimination.hpp).
template <class T>
struct EliminatedLines {
    lines::ChainView<T> chain;
    const lines::ConstantLine<T>* constant = nullptr;  ///< null: κ > 0 everywhere
    const LineParts<T>* parts = nullptr;               ///< null: lines are whole
    /// Of parts, by slow index: what reduces them from their ends; 0, or null: not so.
    const lines::Reach* reach = nullptr;
};

/// An axis that is multiplied with matrices (chain_modes.hpp), in panels: of every `panel_rows` rows of the matrix
/// the elements of a column are neighbours; rows that are not there are 0.
template <class T>
struct MatrixLines {
    Index samples = 0;
    const T* forward = nullptr;
    const T* backward = nullptr;
};

/// The modes of a derivative, which go back as those of other lines (gradient_modes.hpp).
template <class T>
struct DerivativeModes {
    const LineTables<T>* back = nullptr;   ///< null: no derivative is taken
    const std::int32_t* source = nullptr;  ///< by slot of `back`: the slot that it comes from …
    const T* factor = nullptr;             ///< … times this
};

/// In the place of eigenvalues: the mode in slot s is multiplied by row[s] of the rows of V numbers, a number for
/// each line.
template <class T>
struct SymbolRows {
    const T* values = nullptr;  ///< null: modes have eigenvalues
    const std::int32_t* row = nullptr;
};

/// One axis of a symbol (padded_symbol.hpp), its tables by row, and the row of each slot.
template <class T>
struct SymbolAxis {
    const T *late = nullptr, *early = nullptr, *eigenvalue = nullptr;
    const std::int32_t* row = nullptr;
    Index rows = 0;
    Index gap = 0;     ///< in the table of gaps, from a row to the next; 0 of the free axis …
    bool odd = false;  ///< … whose odd rows are others
};

/// What modes of padded lines are multiplied by: −K times a factor, rows of it for V lines at once.
///
///     two or three free axes     K = (1 − e^{−t*Σ})/Σ + Σ_q Π_a late_a[q]     e^{−t*Σ} − 1 from those of the axes,
///     early one free axis              K = (gap, or 2 − gap in odd rows)/Σ          Σ = shift + the sum of the
///     eigenvalues
template <class T>
struct SymbolTask {
    SymbolAxis<T> slow, lines, along;
    int terms = 0;            ///< q < terms
    const T* gaps = nullptr;  ///< not null: one axis is free
    T shift = 0, early_shift = 0;
    bool has_zero = false;  ///< in row 0 of all axes K is …
    T zero = 0;             ///< … this
    T factor = 1;
};

/// values[row · V + l] for all rows along an axis, in line first + l of the others, at slot `slow`. V =
/// element_lines.
template <class T>
using SymbolKernel = void (*)(const SymbolTask<T>& task, Index slow, Index first, int lines, T* values);

/// One pass: for every slow index and every block of lines: read, forward, mode space, backward, write.
/// Sample j of line l at slow index s is in[s·in_slow + l·in_line + j·in_sample]; out alike. At their best, samples
/// of a line are neighbours in memory (sample distance 1), or lines are (line distance 1). `in` and `out` may be
/// the same memory laid out in the same way: a block is read before it is written, and no other block touches it.
template <class T>
struct PassTask {
    Direction direction = Direction::both;
    const LineTables<T>* line = nullptr;
    const EliminatedLines<T>* eliminated = nullptr;  ///< in the place of `line`; the direction is `both`
    const MatrixLines<T>* matrix = nullptr;          ///< in the place of `line`; the direction is not `both`
    ModeSpace<T> modes;
    DerivativeModes<T> derivative;  ///< in the place of mode space
    SymbolRows<T> symbol;           ///< in the place of mode space
    const T* in = nullptr;
    T* out = nullptr;
    Index slow = 0, lines = 0;
    Index in_slow = 0, in_line = 0, in_sample = 1;
    Index out_slow = 0, out_line = 0, out_sample = 1;
    T shift = 0, shift_low = 0;                        ///< taken from every sample read, one after the other …
    T scale = 1;                                       ///< … which is then multiplied with this …
    T subtract = 0;                                    ///< … and taken from every result
    int slow_axis = 0, line_axis = 1, along_axis = 2;  ///< which axes of the box these are
    /// Added to what was read: …
    const BoundaryTerms<T>* added = nullptr;
    /// … and, of lines along z, what stands in the end: …
    const BoundaryTerms<T>* held = nullptr;
    bool zero_below = false;  ///< … also write 0 (or the data) one sample before …
    bool zero_above = false;  ///< … and after the line: Dirichlet nodes, or Neumann nodes of a derivative

    [[nodiscard]] Index samples() const {
        return eliminated != nullptr ? eliminated->chain.nodes
               : matrix != nullptr   ? matrix->samples
                                     : line->samples;
    }
    /// Numbers of a line that are read, and written.
    [[nodiscard]] Index numbers_in() const {
        return line != nullptr && direction == Direction::backward ? line->modes : samples();
    }
    [[nodiscard]] Index numbers_out() const {
        if (derivative.back != nullptr) return derivative.back->samples;
        return line != nullptr && direction == Direction::forward ? line->modes : samples();
    }
    /// Whether samples are changed as they are read.
    [[nodiscard]] bool touches() const {
        return scale != T(1) || shift != T(0) || shift_low != T(0) || added != nullptr;
    }
};

/// Transforms the block of lines that begins with `line`, as far as they exist, at one slow index. `rows` holds
/// their samples, `work` the elements of the FFTs of V of them (LineScratch); both 64-byte aligned.
template <class T>
using BlockKernel = void (*)(const PassTask<T>& task, Index slow, Index line, T* rows, T* work);

template <class T>
struct Kernels {
    int lines;          ///< of a block
    int element_lines;  ///< V, those that share complex numbers; of a block's the first V, the next V, …
    int panel_rows;     ///< of matrices
    BlockKernel<T> block;
    SymbolKernel<T> symbol;
};

struct InstructionSet {
    const char* name;
    Kernels<float> single;
    Kernels<double> double_precision;
};

/// The best instruction set this processor has, of those this build contains.
const InstructionSet& instruction_set() noexcept;

template <class T>
const Kernels<T>& kernels() noexcept;
template <>
const Kernels<float>& kernels() noexcept;
template <>
const Kernels<double>& kernels() noexcept;

}  // namespace poisson3d::host
