// Gaussian cube files: text with two lines of title, a grid, atoms, and the numbers, the last index fastest.
// https://gaussian.com/cubegen/
#pragma once

#include <array>
#include <string>
#include <vector>

#include "poisson3d/field_file.hpp"
#include "raw_array.hpp"

namespace poisson3d {

/// A grid whose three vectors run along x, y and z, in any order.
struct CubeHeader {
    std::string title;  ///< two lines
    std::vector<Atom> atoms;
    Extents points{};
    std::array<double, 3> first{};    ///< where the first point is, in index order
    std::array<double, 3> spacing{};  ///< in index order
    std::array<char, 3> labels{'x', 'y', 'z'};
    bool angstrom = false;  ///< the unit of length: of a negative number of points; else bohr
};

struct Cube {
    CubeHeader header;
    RawArray values;  ///< in a temporary file
};

/// Reads a cube from where the descriptor stands to its end: a file or a pipe. Throws `subject`'s code for what is
/// none or ends too early; Error{data} for grids whose vectors are not along the axes, and for several values a
/// point.
Cube read_cube(int descriptor, const h5::Subject& subject);

/// The lines before the numbers. Lines of the title after the second and characters that end a line are left out.
std::string make_cube_header(const CubeHeader& header);

/// The numbers of an array of float or double as text, six a line, each row of the last index beginning a new one,
/// appended to `file`.
void write_cube_values(const RawArray& values, OutputFile& file);

}  // namespace poisson3d
