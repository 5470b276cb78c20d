// What is done with the values of faces on a GPU: they are taken from planes of a field, multiplied with matrices
// and tables, and given back as arrays of boundary data. All launches are asynchronous on `stream` and throw
// Error{device} when refused.
#pragma once

#include "poisson3d/grid.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::walled {

/// A matrix with any strides.
template <class T>
struct Matrix {
    T* data = nullptr;
    Index row = 0, column = 1;

    [[nodiscard]] Matrix transposed() const { return {data, column, row}; }
};

/// out = a · b, or out += a · b.
template <class T>
struct Product {
    Matrix<const T> a, b;
    Matrix<T> out;
    Index rows = 0, inner = 0, columns = 0;
    bool add = false;
};
template <class T>
void launch_product(const Product<T>& product, Stream stream);

/// data[i] *= table[i]
template <class T>
void launch_times(const T* table, T* data, Index count, Stream stream);

/// The two faces of an axis, or the one there is, as their sum and their difference, lower less upper; points of a
/// face are rows × columns, parts are dense.
template <class T>
struct FaceParts {
    const T* face[2] = {};  ///< in a field; null: that face is not free
    Index row = 0, column = 0;
    Index rows = 0, columns = 0;
    T* part[2] = {};
    T* value[2] = {};  ///< times · part
    T times = 0;
};
template <class T>
void launch_parts(const FaceParts<T>& parts, Stream stream);

/// The reverse: values of faces from those of the parts, at face[side][i · row + j].
template <class T>
struct FacesOfParts {
    const T* value[2] = {};
    T* face[2] = {};  ///< null: that face is not free
    Index row = 0;
    Index rows = 0, columns = 0;
};
template <class T>
void launch_faces(const FacesOfParts<T>& faces, Stream stream);

}  // namespace poisson3d::walled
