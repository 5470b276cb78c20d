// The file that HDF5 opens for an external link.
#pragma once

#include <string>

#include "input_files.hpp"

namespace poisson3d::h5 {

/// The file `name` of an external link in the file `parent`, opened: the first regular file among the names that
/// HDF5 tries, in its order (HDF5_EXT_PREFIX, beside the parent, the working directory, beside the file that the
/// parent's name is a symbolic link to). Throws `subject`'s code if there is none, if it is no HDF5 file (HDF5
/// would go on to another of that name), or if a named pipe or a device comes first, which HDF5 would wait for.
InputFile open_external_file(const std::string& parent, const std::string& name, const Subject& subject);

}  // namespace poisson3d::h5
