// Data sets of float32 or float64, opened: of any shape, and those that can be read as a field.
#pragma once

#include <string>
#include <vector>

#include "input.hpp"
#include "poisson3d/field.hpp"
#include "selection.hpp"
#include "storage.hpp"

namespace poisson3d::h5 {

struct Numbers {
    Subject subject;  ///< "field.h5, dataset /rhs"
    Dataset dataset;
    std::vector<hsize_t> extents;  ///< none: a single value
    int type_bytes = 0;            ///< 4 or 8: of the type that they are read as
    bool native_order = true;      ///< stored in this machine's byte order
    std::string type_name;         ///< "float64 big endian"
};

/// Opens a data set. Throws Error{data} for what holds no such numbers (a group, another type, no values at all:
/// then `wanted` is told; the data sets of the file are listed if there is none of that name); Error{file} as
/// Input::find() says.
/// With `convert` integers and half precision are numbers, too.
Numbers open_numbers(const Input& input, const std::string& dataset, const std::string& wanted,
                     bool convert = false);

/// "a single value", "2-D of extents 8 x 9": the shape found, for complaints.
std::string describe_shape(const std::vector<hsize_t>& extents);

struct Source : Numbers {
    Steps steps;       ///< the leading extents; none of a 3-D array
    Extents points{};  ///< the last three
    Storage storage;
    double unit = 1.0;  ///< the numbers are multiplied with it (openPMD)
};

/// Opens a data set. Throws Error{data} for what cannot be a field (what open_numbers() refuses, another rank or an
/// extent of zero) or was not written whole, and Error{file} for data that cannot be had whole: a filter this HDF5
/// lacks, an external file that is missing or too short, or a virtual data set — HDF5 fills what is missing with
/// zeros and says nothing. With `steps` a field of more dimensions is taken, too.
Source open_source(const Input& input, const std::string& dataset, bool steps = false);

}  // namespace poisson3d::h5
