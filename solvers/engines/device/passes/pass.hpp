// A pass over lines on a GPU, in phases that a kernel executes in one go (engine fused, lines in shared memory) or
// that are kernels of their own (engine cufft, lines in global memory):
//
//     load     field → first step of the FFT → lines
//     FFT      of the engine
//     modes    pass 3 only: last step, divide by eigenvalues, first step back; and the FFT back
//     store    lines → last step → field
//
// Two neighbouring real lines are one complex line; `count` of those are the work of a block of threads, which
// reads all of them before it writes any, so that lines can be transformed where they lie. They are rows of the
// field or columns: element (slow s, line l, sample or mode j) stands at
//
//     rows       s · slow + l · line + j          threads go along lines
//     columns    s · slow + j · sample + l        threads go across lines
//
// with strides of `in` and of `out`. A pass may be one of several fields at once: that of a block moves `in` and
// `out` by whole fields, and scalars by as many of theirs. Host and device share this file and those of the phases.
#pragma once

#include "boundary_terms.hpp"
#include "chirp.hpp"
#include "folded_matrices.hpp"
#include "pair_map.hpp"
#include "real_matrices.hpp"
#include "symmetric.hpp"

namespace poisson3d::device {

using namespace lines;

/// Which pass it is; what is read (samples or modes) and written follows.
enum class Role { first, first_with_data, forward, middle, backward, last };

/// How lines lie. Padded columns are written: their rows have room for an even number of lines. Turned rows are,
/// too: those of u, counted along x or y.
enum class Layout { rows, columns, padded_columns, turned_rows };
constexpr bool in_rows(Layout layout) {
    return layout == Layout::rows || layout == Layout::turned_rows;
}

/// Its phases: what follows load, and store itself, wants all of a line's elements.
enum class Phase { load, modes, store };

constexpr POISSON3D_HD bool reads_samples(Role role) {
    return role == Role::first || role == Role::first_with_data || role == Role::forward || role == Role::middle;
}
constexpr POISSON3D_HD bool writes_samples(Role role) {
    return role == Role::middle || role == Role::backward || role == Role::last;
}

/// What a pass is told about its lines. F may be of lines that are known when code is compiled (known_pass.hpp).
template <class T, class F>
struct PassLine {
    static constexpr bool in_twos = false;  ///< whether the number of lines is known to be even
    Kind kind = Kind::type2;
    Outer outer = Outer::large;  ///< see KernelVariant
    int count = 1, shift = 0;    ///< complex lines of a block: 2^shift
    int rows = 0;                ///< of a line: elements of its FFTs
    int pitch = 0;               ///< of complex lines in shared memory, in elements
    bool vectors_in = false;  ///< neighbours in the field may be read together: in rows samples, in columns lines …
    bool vectors_out = false;  ///< … and written
    ButterflyPairs<T, F> in_butterflies, out_butterflies;
    PairMap<T, F> in_map, out_map;
    Symmetric<T, F> symmetric;       ///< the samples' side of kind one
    Symmetric<T, F> mode_symmetric;  ///< by a chirp: the modes' side
    LineFft<T, F> fft;
    Chirp<T> chirp;
    // Middle pass only.
    ButterflyPairs<T, F> mode_butterflies;
    PairMap<T, F> modes_out, modes_in;  ///< of the same pairs, element for element
    bool multiply = false;
    // Last pass only.
    int below = 0, above = 0;  ///< Dirichlet nodes at the ends of a line
    Index samples = 0;
};

/// What it is told about fields.
template <class T>
struct PassFields {
    const T* in = nullptr;
    T* out = nullptr;
    Index slow = 0, lines = 0;
    Index in_slow = 0, in_line = 0, in_sample = 1;
    Index out_slow = 0, out_line = 0, out_sample = 1;
    Index fields = 1, in_field = 0, out_field = 0;
    // First pass: (sample − subtract[0] − subtract[1]) · scale + boundary. Forward passes over columns, too,
    // without boundary.
    const T* subtract = nullptr;  ///< last pass: *subtract is taken from every result
    Index subtract_field = 0;
    T scale = 1;
    BoundaryTerms<T> boundary;  ///< last pass: what Dirichlet nodes at the ends of lines hold
    bool counts_x = false;      ///< lines are counted along x, slow is the index along y; else the reverse
    // Middle pass only.
    const Complex<T>* lambda_line =
        nullptr;  ///< eigenvalues of pair m of butterfly pair o at m · count + o: first and second
    const T *lambda_slow = nullptr, *lambda_lanes = nullptr;  ///< of the other axes
    T shift_by = 0, factor = 1;
    T* removed = nullptr;  ///< not null: singular, the constant mode becomes 0 and this its value times factor
    Index removed_field = 0;
};

template <class T, class F>
struct PassTask : PassLine<T, F>, PassFields<T> {
    // Of Outer::matrix_steps.
    RealMatrices real;                ///< of lines that end as a real DFT
    const T* lambda_slots = nullptr;  ///< eigenvalues by slot
    FoldedMatrices folded;            ///< of others
};

/// Whether the elements of pairs may be neighbours in the field: Makhoul's order is the only one.
template <class Form>
inline constexpr bool has_neighbours = Form::kind == Kind::type2&& Form::side == Side::samples;

/// A block: its field, its index, its first real line, and shared memory.
template <class T>
struct BlockPosition {
    Index field, slow, line;
    Complex<T>* lines;
};

/// A complex line of a block in the field. Where the last line has no neighbour it stands for its own.
template <class T>
struct RealLines {
    Index first;  ///< of the field's lines
    bool there, paired;

    template <class F>
    POISSON3D_HD RealLines(const PassTask<T, F>& task, const BlockPosition<T>& block, int line)
        : first(block.line + 2 * line), there(first < task.lines), paired(task.in_twos || first + 1 < task.lines) {}
};

/// Whether neighbouring threads go across lines wherever these lie.
template <class T, class F>
inline constexpr bool always_across = false;

/// body(item, line in the block), or body(group of `number` items, line), with neighbouring threads at neighbouring
/// items or, `across`, lines.
template <bool across, int number, class T, class F, class Items, class Body>
POISSON3D_HD void for_items(const PassTask<T, F>& task, const Items& items, const Body& body) {
    constexpr bool side_by_side = across || always_across<T, F>;
    if constexpr (side_by_side && number > 1)
        groups_across_lines<number>(items, task.shift, body);
    else if constexpr (side_by_side)
        across_lines(items, task.shift, body);
    else if constexpr (number > 1)
        groups_along_lines<number>(items, task.count, body);
    else
        along_lines(items, task.count, body);
}

/// What kernels know when they are compiled.
template <Kind kind_, Outer outer_>
struct KernelVariant {
    static constexpr Kind kind = kind_;
    static constexpr Outer outer = outer_;
    using Samples = Form<kind, Side::samples>;
    using Modes = Form<kind, Side::modes>;
    static constexpr bool radix8 = outer == Outer::radix8;
    static constexpr bool complete = radix8 && kind != Kind::type1;  ///< all elements of all pairs are there
    static constexpr Words words = !radix8 ? Words::either : kind == Kind::type1 ? Words::listed : Words::linear;
};

/// Whether a kernel knows that all elements of the pairs of a map are there.
template <class Variant, class Map>
inline constexpr bool all_there = Variant::complete&& Map::complete;

/// Calls body.template operator()<kind>().
template <class Body>
void with_kind(Kind kind, const Body& body) {
    switch (kind) {
        case Kind::type1: return body.template operator()<Kind::type1>();
        case Kind::type2: return body.template operator()<Kind::type2>();
        case Kind::type3: return body.template operator()<Kind::type3>();
        case Kind::type4: return body.template operator()<Kind::type4>();
    }
}

}  // namespace poisson3d::device
