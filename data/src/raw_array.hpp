// Numbers that lie in a file one after the other, as elements of a 3-D array.
#pragma once

#include <cstdint>
#include <memory>

#include "file_bytes.hpp"
#include "number_type.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d {

/// Where the numbers are. The last index is contiguous. Errors are `subject`'s.
struct RawArray {
    h5::Subject subject;
    std::shared_ptr<const void> owner;  ///< keeps `descriptor` open
    int descriptor = -1;
    std::uint64_t offset = 0;  ///< of the first number, in bytes
    NumberType type;
    Extents points{};

    [[nodiscard]] std::uint64_t bytes() const noexcept;
    /// Reads planes first … of a field into a view with any pitches, through a buffer of 1 MiB. Numbers need not be
    /// finite.
    template <class T>
    void read(Index first, FieldView<T> slab) const;
    /// Writes planes first … of an array of T of this machine from a view with any pitches.
    template <class T>
    void write(Index first, FieldView<const T> slab) const;
    /// The number at an index, in double.
    [[nodiscard]] double stored(const Extents& index) const;
};

/// The same numbers in an array whose last index is contiguous, of one whose first index is: element (i, j, k) at
/// i + points[0] (j + points[1] k). They are copied once, in blocks of 16 MiB, to a temporary file, as float or
/// double.
RawArray reordered(const RawArray& fortran);

/// An array of T in a new temporary file, whose numbers are still to be written. Throws Error{output} if there is
/// no room for it.
template <class T>
RawArray scratch_array(const Extents& points);

/// Throws Error{data} of `subject` unless all extents are at least 1 and their product leaves bytes countable.
void require_countable(const h5::Subject& subject, const Extents& points);

}  // namespace poisson3d
