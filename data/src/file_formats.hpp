// Which format a file has: by the ending of its name, of inputs with another ending by their first bytes.
#pragma once

#include <optional>
#include <string>

namespace poisson3d {

enum class FileFormat { hdf5, npy, npz, cube };

const char* name(FileFormat format) noexcept;

/// By the ending, in upper or lower case: .npy, .npz, .cube and .cub, and those of HDF5 (.h5, .hdf5, .hdf, .he5,
/// .nc, .nc4, .vtkhdf). Empty for others.
std::optional<FileFormat> format_of_name(const std::string& path);

/// Of an output: an unknown ending is refused by Error{usage} naming the known ones; no ending is HDF5, and "-",
/// the standard output, a cube or else npy.
FileFormat output_format(const std::string& path, bool cube_stream);

/// By its first bytes, as many as there are up to eight. Empty if they are none that is known; a cube has none.
std::optional<FileFormat> format_of_bytes(const std::string& start);

/// The input is read as HDF5. Other files are those whose ending or, if that is not known, whose first bytes say
/// so; standard input ("-") is none. Throws nothing: who opens it as HDF5 finds what is wrong with it.
bool holds_hdf5(const std::string& path);

}  // namespace poisson3d
