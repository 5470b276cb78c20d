// Data sets of float32 or float64, opened: of any shape, and those that can be read as a field.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "h5.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::h5 {

/// Opens `path` for reading. Throws Error{file} naming the cause: missing, a directory, not HDF5, damaged.
File open_file(const std::string& path);

struct Numbers {
    Subject subject;  ///< "field.h5, dataset /rhs"
    Dataset dataset;
    std::vector<hsize_t> extents;  ///< none: a single value
    int type_bytes = 0;            ///< 4 or 8
    bool native_order = true;      ///< stored in this machine's byte order
    std::string type_name;         ///< "float64 big endian"
};

/// Opens a data set of an open file. Throws Error{data} for what holds no such numbers (a group, another type, no
/// values at all: then `wanted` is told; the data sets of the file are listed if there is none of that name).
Numbers open_numbers(hid_t file, const std::string& path, const std::string& dataset, const std::string& wanted);

/// "a single value", "2-D of extents 8 x 9": the shape found, for complaints.
std::string describe_shape(const std::vector<hsize_t>& extents);

struct Source : Numbers {
    Extents points{};
    std::string storage;     ///< "chunked 16 x 16 x 16, deflate"
    Index chunk_planes = 1;  ///< planes of one chunk; 1 if there are no chunks
};

/// Opens a data set of an open file. Throws Error{data} for what cannot be a field (what open_numbers() refuses,
/// another rank or an extent of zero), and Error{file} for data that cannot be had whole: a filter this HDF5 lacks,
/// an external file that is missing or too short, or a virtual data set — HDF5 fills what is missing from the last
/// two with zeros and says nothing.
Source open_source(hid_t file, const std::string& path, const std::string& dataset);

/// Room for decompressed chunks that straddle two slabs, per data set.
constexpr std::size_t chunk_cache_bytes = std::size_t{8} << 20;

}  // namespace poisson3d::h5
