// How a data set lies in its file, and whether all of it can be had.
#pragma once

#include <string>

#include "h5.hpp"

namespace poisson3d::h5 {

struct Storage {
    std::string description;  ///< "contiguous", "chunked 16 x 16 x 16, deflate", "external", "compact"
    Index chunk_planes = 1;   ///< planes of one chunk; 1 if there are no chunks
};

/// Looks at layout, filters and external files of an open data set; `path` is the file's own name, which relative
/// names of external files may depend on. Throws Error{file} as open_source() says.
Storage inspect_storage(hid_t dataset, const std::string& path, const Subject& subject);

}  // namespace poisson3d::h5
