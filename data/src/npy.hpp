// NumPy's .npy files: a line of Python that says type, order and shape, then the numbers.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "h5.hpp"
#include "number_type.hpp"

namespace poisson3d {

struct NpyHeader {
    NumberType type;
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::uint64_t bytes = 0;  ///< of the header: where the numbers begin
};

/// Hands over the next `count` bytes of a file; throws if it has fewer.
using NextBytes = std::function<void(void* to, std::size_t count)>;

/// Reads the header of versions 1, 2 and 3. Throws Error{data} of `subject` for what is none, and for types that no
/// field can have (complex numbers, text, objects).
NpyHeader read_npy_header(const h5::Subject& subject, const NextBytes& next);

/// The header of a 3-D array in C order: of version 1, its size a multiple of 64.
std::string make_npy_header(const NumberType& type, const Extents& points);

}  // namespace poisson3d
