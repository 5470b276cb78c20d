// Types of numbers in files, and their conversion to those that are solved in.
#pragma once

#include <cstddef>
#include <string>

#include "poisson3d/grid.hpp"

namespace poisson3d {

/// IEEE 754 numbers of 2, 4 or 8 bytes, or integers of 1, 2, 4 or 8, in either byte order.
struct NumberType {
    enum class Kind { real, integer, natural };
    Kind kind = Kind::real;
    int bytes = 8;
    bool big_endian = false;

    /// "float64 little endian", "int32", "uint8".
    [[nodiscard]] std::string describe() const;
    /// Of float and double the one that the field is solved in: float for reals of at most 4 bytes.
    [[nodiscard]] int solved_bytes() const noexcept { return kind == Kind::real && bytes <= 4 ? 4 : 8; }
};

/// "int32 was converted to double precision": what a report says of a field of another type than float or double,
/// named by `type`; empty for these.
std::string conversion_note(const std::string& type, int solved_bytes);

/// Converts `count` numbers. What T cannot hold becomes an infinity.
template <class T>
void convert_numbers(const NumberType& type, const unsigned char* from, T* to, Index count) noexcept;

/// Types of this machine.
template <class T>
NumberType native_number() noexcept;

}  // namespace poisson3d
