// The sweeps over memory between the FFTs, as plain tasks: what each reads and writes, and the orbits it mixes.
//
//     gather        f, real                  → [x][y pairs][z positions]         pre z
//     rotate        [x][y pairs][z pos.]     → [y pairs][z slots][x positions]   post z, pre x
//     rotate        [y pairs][z][x pos.]     → [z pairs][x slots][y positions]   post x, pre y; lines paired anew
//     middle        [z pairs][x][y pos.]     in place                            post y, mode space, pre y
//     rotate        [z pairs][x][y pos.]     → [y pairs][z slots][x positions]   post y, pre x; lines paired anew
//     rotate        [y pairs][z][x pos.]     → [x][y pairs][z positions]         post x, pre z
//     scatter       [x][y pairs][z pos.]     → u, real                           post z
//
// A complex element carries two real lines. Every sweep reads and writes the field once. All launches are
// asynchronous on `stream` and throw Error{device} when refused.
#pragma once

#include <cstdint>

#include "boundary_terms.hpp"
#include "host_device.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/stream.hpp"
#include "typical_value.hpp"

namespace poisson3d::cufft {

/// Where the type I rest of a line is extended before its FFT: position row + j, 0 < j < half, is also written to
/// row + 2·half − j, with the sign of the kind; an odd extension is 0 at row and row + half. half = 0: there is
/// none.
struct Mirror {
    int row = 0, half = 0;
    bool sine = false;
};

/// An OrbitTable in device memory.
template <class T>
struct Orbits {
    int size = 2;
    bool sine = false;
    int count = 0;
    const std::int32_t* in = nullptr;
    const std::int32_t* out = nullptr;
    const Complex<T>* coefficients = nullptr;
};

/// f (first unknown at `field`) to complex lines: line (x, p) holds samples y = pair_in[p] and pair_in[pairs + p].
/// A work array line = x · pairs + p begins at line · pitch.
template <class T>
struct LineTask {
    T* field = nullptr;  ///< read by gather, written by scatter
    Index stride_x = 0, stride_y = 0;
    Complex<T>* work = nullptr;
    Index pitch = 0;
    Index extent_x = 0;
    Index pairs = 0;
    const std::int32_t* pair =
        nullptr;  ///< sample y of the real part [p] and of the imaginary one [pairs + p], −1: none
    Orbits<T> z;
    const Constant<T>* shift = nullptr;  ///< gather only: taken from every real value, if not null
    const T* subtract = nullptr;         ///< scatter only: the same
    Mirror mirror;                       ///< of z; gather only
    T scale = 1;                         ///< gather only: of what is left of f …
    BoundaryTerms<T> boundary;           ///< … to which this is added; scatter: what Dirichlet nodes hold
    // scatter only
    Index below = 0, above = 0;  ///< Dirichlet nodes before and after a line: 0, or the data
    Index samples = 0;           ///< unknowns of a line
};

/// What the two elements of a row orbit, or of a column orbit, become when lines are paired anew.
enum class Repair {
    none,     ///< rows of the row orbit's `in`; lines of the column orbit's `out`
    rows,     ///< rows (orbit, half): the row orbit mixes real and imaginary parts of lines `half` = 0, 1
    columns,  ///< lines (orbit, half): the column orbit becomes the pair, `half` counts the lines of the old pair
};

/// For every batch b: element (row, column) at in[b·in_batch + row·in_row + column] (Repair::rows: orbit·in_row +
/// half·in_half), transformed by the column orbits, then by the row orbits, to out[b·out_batch + line·out_line +
/// position] (Repair::columns: orbit·out_line + half·out_half). There, orbits count from the first of the launch.
template <class T>
struct RotateTask {
    const Complex<T>* in = nullptr;
    Complex<T>* out = nullptr;
    Index batches = 0, in_batch = 0, out_batch = 0;
    Index in_row = 0, in_half = 0, out_line = 0, out_half = 0;
    Index halves = 0;  ///< real lines counted by half, 2b + half < halves
    Orbits<T> columns, rows;
    int first_column = 0, column_count = 0;  ///< orbits this launch works on
    int first_row = 0, row_count = 0;
    Repair repair = Repair::none;
    Mirror mirror;  ///< of the axis that begins
};

/// Line (p, s) of the middle: z slots 2p and 2p + 1, x slot s.
template <class T>
struct MiddleTask {
    Complex<T>* work = nullptr;
    Index pitch = 0;
    Index pairs = 0, extent_x = 0, extent_z = 0;
    Orbits<T> post, pre;
    Mirror mirror;
    const T *lambda_x = nullptr, *lambda_y = nullptr, *lambda_z = nullptr;  ///< eigenvalues by slot
    T shift = 0, factor = 1;
    bool multiply = false;
    T* removed = nullptr;  ///< not null: the problem is singular, the constant mode becomes 0 and this its
                           ///< value times factor
};

template <class T>
void launch_gather(const LineTask<T>& task, Stream stream);
template <class T>
void launch_scatter(const LineTask<T>& task, Stream stream);
template <class T>
void launch_rotate(const RotateTask<T>& task, Stream stream);
template <class T>
void launch_middle(const MiddleTask<T>& task, Stream stream);

/// What scatter would give at unknown (x, pair p and part, orbit o and element), before anything is subtracted.
template <class T>
void launch_probe(const LineTask<T>& task, Index x, Index p, bool imaginary, Index o, bool second, T* value,
                  Stream stream);

/// Divides (or multiplies) the half-complex modes [x][y][z ≤ n/2] of a periodic box.
template <class T>
struct PeriodicTask {
    Complex<T>* work = nullptr;
    Extents extents{};  ///< of the modes: n_x, n_y, n_z/2 + 1
    const T *lambda_x = nullptr, *lambda_y = nullptr, *lambda_z = nullptr;
    T shift = 0, factor = 1;
    bool multiply = false;
    T* removed = nullptr;
};
template <class T>
void launch_periodic(const PeriodicTask<T>& task, Stream stream);

}  // namespace poisson3d::cufft
