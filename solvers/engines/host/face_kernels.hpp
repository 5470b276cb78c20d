// What the inner loops at closed faces are told (closed_axis.hpp): plain data, compiled once per instruction set as
// those of kernels.hpp are.
#pragma once

#include <cstdint>

#include "poisson3d/grid.hpp"

namespace poisson3d::host {

/// A block of lines along an axis in mode space, V lines side by side: element (mode j, line l) at j · V + l. A
/// solve divides it by eigenvalues; next to a free face every mode leaves and takes something. The three axes:
/// those of the lines, the one across them, and the slow one, whose mode is the same in all of the block. Of lines
/// that are eliminated there are samples in the place of modes, and nothing is divided.
template <class T>
struct FaceBlock {
    T* rows = nullptr;
    Index modes = 0;
    /// Where modes are kept in between: sum() writes them there, add() reads them. Mode j of line l at j ·
    /// kept_pitch + l. Null: nothing is kept, and add() reads the rows.
    T* kept = nullptr;
    Index kept_pitch = 0;
    const T* along = nullptr;  ///< eigenvalues by mode …
    T* lines = nullptr;  ///< … and sums of those of the two other axes by line; −∞ of lines that are not there
    T factor = 1;        ///< of what stands in the rows …
    T inverse = 1;       ///< … and, where nothing is divided, of what is added to them
    bool divides = true;

    /// Part of each mode of the lines' axis, and its number in the sum or of the term. Null: the axis is not free,
    /// or eliminated.
    const std::uint8_t* part_along = nullptr;
    const T* number_along = nullptr;
    /// By part: the sums of the lines, which are added to; or the values at their ends.
    T* face_along[2] = {};

    /// By part: numbers of the V lines, 0 of lines that are of the other one. Null: the axis across is not free.
    const T* numbers_across[2] = {};
    /// By part: at j · across_pitch what mode j has there.
    T* face_across[2] = {};
    Index across_pitch = 0;

    /// The number of the slow mode, and its part's face: mode j of line l at j · slow_pitch + l. Null: not free.
    T number_slow = 0;
    T* face_slow = nullptr;
    Index slow_pitch = 0;
};

template <class T>
struct FaceKernels {
    int lines;       ///< V
    int panel_rows;  ///< of matrices
    /// Divides and adds up what modes leave at faces; the rows are not changed.
    void (*sum)(const FaceBlock<T>&);
    /// Adds what modes take from faces, and divides.
    void (*add)(const FaceBlock<T>&);
    /// out = matrix · in: `inner` rows of V numbers to as many rows as whole panels have. In every panel of
    /// `panel_rows` rows of the matrix elements of a column are neighbours. Row r is then multiplied by the row at
    /// times + r · pitch, if there is one.
    void (*multiply)(const T* panels, Index rows, Index inner, const T* in, const T* times, Index pitch, T* out);
};

struct FaceInstructions {
    FaceKernels<float> single;
    FaceKernels<double> double_precision;
};

/// Of the best instruction set (kernels.hpp).
template <class T>
const FaceKernels<T>& face_kernels() noexcept;
template <>
const FaceKernels<float>& face_kernels() noexcept;
template <>
const FaceKernels<double>& face_kernels() noexcept;

}  // namespace poisson3d::host
