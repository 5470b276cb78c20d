// Groups of a field file that have a 1-D data set for each of some axes, named by the axis' label.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "input.hpp"

namespace poisson3d::h5 {

/// How many numbers an axis may have there, and the same in words: "5 numbers, the faces of cells".
struct Count {
    Index least, most;
    std::string words;
};

/// A group: "/positions", what it holds ("positions of axes"), and how many numbers an axis of so many points has.
struct AxisGroup {
    std::string path, content;
    Count (*count)(Index points);
};

/// Complaints about the data set of an axis.
Subject axis_subject(const Input& input, const std::string& group, char label);

/// The numbers of each axis in index order; empty for axes that the group does not name. Throws Error{data} for a
/// name that is no label, for data sets that are not 1-D of float32 or float64 or have another count, NaN or Inf
/// (the first, with its index); otherwise as Input::find() says.
std::array<std::vector<double>, 3> read_axis_group(const Input& input, const AxisGroup& group,
                                                   const std::array<char, 3>& labels, const Extents& points);

}  // namespace poisson3d::h5
