// Reads field files for the fuzzer, one after the other in one process: each line of stdin is a path, and for each
// comes one line of JSON: what was said and read. A handle or descriptor that stays open ends the process.
#include <dirent.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "poisson3d/error.hpp"
#include "poisson3d/field_file.hpp"

namespace {

using poisson3d::Index;

constexpr Index max_points = 1 << 20;

int open_descriptors() {
    DIR* directory = opendir("/proc/self/fd");
    if (directory == nullptr) return -1;
    int count = 0;
    while (readdir(directory) != nullptr) ++count;
    closedir(directory);
    return count;
}

std::string quoted(const std::string& text) {
    std::string made = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        char code[8];
        std::snprintf(code, sizeof code, "\\u%04x", byte);
        if (byte < 32 || byte > 126 || c == '"' || c == '\\')
            made += code;
        else
            made += c;
    }
    return made + '"';
}

/// To the last bit.
template <class Range>
std::string numbers(const Range& values) {
    std::string made = "[";
    for (const double value : values) {
        char text[40];
        std::snprintf(text, sizeof text, "%s\"%a\"", made.size() > 1 ? "," : "", value);
        made += text;
    }
    return made + "]";
}

std::string field(const poisson3d::FieldReader& reader, const char* name) {
    const poisson3d::Extents n = reader.header().points;
    // Several slabs and both types, as the program reads; what the second type makes of it is not told.
    poisson3d::Field<double> values(n);
    for (Index first = 0; first < n[0]; first += 2) {
        const Index count = std::min<Index>(2, n[0] - first);
        reader.read_from(name, first,
                         poisson3d::FieldView<double>(values.data() + first * n[1] * n[2], {count, n[1], n[2]}));
    }
    poisson3d::Field<float> narrow(n);
    try {
        reader.read_from(name, 0, narrow.view());
    } catch (const poisson3d::Error&) {  // numbers that float cannot hold
    }
    return numbers(std::vector<double>(values.data(), values.data() + values.size()));
}

std::string read(const std::string& path) {
    const poisson3d::FieldReader reader(path);
    const poisson3d::FieldHeader& header = reader.header();
    std::string made = "\"helmholtz\":" + numbers(std::vector<double>{header.helmholtz});
    made += ",\"origin\":" + numbers(header.origin);
    if (header.spacing) made += ",\"spacing\":" + numbers(*header.spacing);
    for (const std::string& face : header.boundary_values)
        made += ",\"boundary_values/" + face + "\":" + numbers(reader.boundary_values(face).values);
    const poisson3d::Extents n = header.points;
    if (n[0] > max_points || n[1] > max_points || n[2] > max_points || n[0] * n[1] > max_points ||
        n[0] * n[1] * n[2] > max_points)
        return made + ",\"too_large\":true";
    made += ",\"rhs\":" + field(reader, header.dataset.c_str());
    if (header.has_exact) made += ",\"exact\":" + field(reader, "/exact");
    if (header.variable.at_points) made += ",\"coefficient\":" + field(reader, "/coefficient");
    if (header.variable.helmholtz) made += ",\"lambda\":" + field(reader, "/lambda");
    return made;
}

std::string answer(const std::string& path) {
    try {
        return "\"status\":0," + read(path);
    } catch (const poisson3d::Error& error) {
        return "\"status\":" + std::to_string(poisson3d::exit_code(error.code())) +
               ",\"message\":" + quoted(error.what());
    } catch (const std::bad_alloc&) {
        return "\"status\":5,\"message\":\"out of host memory\"";
    } catch (const std::exception& error) {
        return "\"status\":7,\"message\":" + quoted(error.what());
    }
}

}  // namespace

int main() {
    std::string path;
    int before = -1;
    while (std::getline(std::cin, path)) {
        const std::string said = answer(path);
        const long handles = static_cast<long>(H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL));
        const int after = open_descriptors();
        if (before < 0) before = after;  // what HDF5 itself keeps is there after the first file
        std::cout << '{' << said << ",\"handles\":" << handles << ",\"descriptors\":" << after - before << "}"
                  << std::endl;
        if (handles != 0 || after > before) return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
