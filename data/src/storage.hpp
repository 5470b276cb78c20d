// How a data set lies in its file, and whether all of it can be had.
#pragma once

#include <string>

#include "input.hpp"

namespace poisson3d::h5 {

/// The filters that chunks go through.
enum class Packing {
    none,
    harmless,  ///< shuffle, fletcher32 and one deflate at most: these do no harm if the chunks are whole
    other      ///< HDF5 may crash in them
};

struct Storage {
    std::string description{};  ///< "contiguous", "chunked 16 x 16 x 16, deflate", "external", "compact"
    Index chunk_planes = 1;     ///< planes of one chunk; 1 if there are no chunks
    Packing packing = Packing::none;
};

/// Looks at layout, filters and external files of an open data set, and adds the latter to input.files(). Throws
/// Error{file} as open_source() says, and Error{data} if a part of it was never written, unless input.allow_fill().
Storage inspect_storage(const Input& input, hid_t dataset, const Subject& subject);

}  // namespace poisson3d::h5
