#include "file_formats.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>

#include "descriptor.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

namespace {

constexpr std::array<std::pair<const char*, FileFormat>, 11> endings{{
    {".h5", FileFormat::hdf5},
    {".hdf5", FileFormat::hdf5},
    {".hdf", FileFormat::hdf5},
    {".he5", FileFormat::hdf5},
    {".nc", FileFormat::hdf5},
    {".nc4", FileFormat::hdf5},
    {".vtkhdf", FileFormat::hdf5},
    {".npy", FileFormat::npy},
    {".npz", FileFormat::npz},
    {".cube", FileFormat::cube},
    {".cub", FileFormat::cube},
}};

std::string ending_of(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

}  // namespace

const char* name(FileFormat format) noexcept {
    switch (format) {
        case FileFormat::hdf5: return "HDF5";
        case FileFormat::npy: return "npy";
        case FileFormat::npz: return "npz";
        case FileFormat::cube: return "cube";
    }
    return "";
}

std::optional<FileFormat> format_of_name(const std::string& path) {
    const std::string ending = ending_of(path);
    for (const auto& [known, format] : endings)
        if (ending == known) return format;
    return std::nullopt;
}

FileFormat output_format(const std::string& path, bool cube_stream) {
    if (path == "-") return cube_stream ? FileFormat::cube : FileFormat::npy;
    const auto format = format_of_name(path);
    if (format == FileFormat::npz)
        throw Error(ErrorCode::usage, printable_name(path) + ": .npz is read and not written; wanted .npy");
    if (!format && !ending_of(path).empty())
        throw Error(ErrorCode::usage,
                    printable_name(path) + ": found the ending " + printable(ending_of(path)) +
                        ", wanted one that says the format: .h5 (or .hdf5, .hdf, .he5, .nc, .nc4, "
                        ".vtkhdf), .npy, .cube (or .cub)");
    return format.value_or(FileFormat::hdf5);
}

std::optional<FileFormat> format_of_bytes(const std::string& start) {
    if (start.starts_with("\x93NUMPY")) return FileFormat::npy;
    if (start.starts_with("PK\x03\x04")) return FileFormat::npz;
    if (start.starts_with("\x89HDF\r\n\x1a\n")) return FileFormat::hdf5;
    return std::nullopt;
}

bool holds_hdf5(const std::string& path) {
    if (path == "-") return false;
    if (const auto format = format_of_name(path)) return format == FileFormat::hdf5;
    struct stat found = {};
    if (stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return true;
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    std::array<char, 8> start{};
    const ssize_t count = file.get() < 0 ? -1 : pread(file.get(), start.data(), start.size(), 0);
    if (count <= 0) return true;
    return format_of_bytes({start.data(), static_cast<std::size_t>(count)}).value_or(FileFormat::hdf5) ==
           FileFormat::hdf5;
}

}  // namespace poisson3d
