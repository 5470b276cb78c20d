#include "source.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "storage.hpp"

namespace poisson3d::h5 {

namespace {

// The eight bytes every HDF5 file has at 0, 512, 1024, 2048 … (after a user block of that size).
bool has_signature(std::ifstream& stream, std::uintmax_t bytes) {
    constexpr std::array<char, 8> signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
    for (std::uintmax_t at = 0; at + signature.size() <= bytes; at = at == 0 ? 512 : 2 * at) {
        std::array<char, 8> found{};
        stream.clear();
        stream.seekg(static_cast<std::streamoff>(at));
        stream.read(found.data(), found.size());
        if (found == signature) return true;
    }
    return false;
}

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

}  // namespace

File open_file(const std::string& path) {
    const Quiet quiet;
    const Subject subject{ErrorCode::file, path.empty() ? "(empty name)" : path};
    std::error_code cause;
    const auto status = std::filesystem::status(path, cause);
    if (!std::filesystem::exists(status))
        subject.fail(cause && status.type() == std::filesystem::file_type::none
                         ? "the file cannot be reached: " + cause.message()
                         : "there is no such file");
    if (std::filesystem::is_directory(status)) subject.fail("found a directory, wanted an HDF5 file");
    if (!std::filesystem::is_regular_file(status)) subject.fail("found no regular file, wanted an HDF5 file");

    std::ifstream stream(path, std::ios::binary);
    if (!stream) subject.fail("the file is not readable: check its permissions");
    const std::uintmax_t bytes = std::filesystem::file_size(path, cause);
    if (!has_signature(stream, bytes))
        subject.fail("found no HDF5 signature in its " + std::to_string(bytes) + " bytes: not an HDF5 file");
    const Properties access = file_access(subject);
    return File(subject.check(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()),
                              "the HDF5 file is damaged, cut off or in use"));
}

namespace {

void require_dataset(hid_t file, const Subject& subject, const std::string& dataset) {
    if (!exists(file, dataset)) {
        const auto found = list_datasets(file);
        subject.fail(ErrorCode::data,
                     "not found; " + (found.empty() ? "the file has no data sets" : "the file has " + join(found)) +
                         " (--dataset chooses one)");
    }
    const Object object(subject.check(H5Oopen(file, dataset.c_str(), H5P_DEFAULT), "cannot be opened"));
    const H5I_type_t kind = H5Iget_type(object.get());
    if (kind != H5I_DATASET)
        subject.fail(ErrorCode::data, std::string("found a ") + (kind == H5I_GROUP ? "group" : "named type") +
                                          ", wanted a data set");
}

Extents read_points(const std::vector<hsize_t>& extents, const Subject& subject) {
    if (extents.size() != 3)
        subject.fail(ErrorCode::data, "found " + describe_shape(extents) + ", wanted a 3-D array");
    Extents points{};
    hsize_t most = hsize_t{1} << 58U;  // elements: leaves their bytes countable
    for (std::size_t a = 0; a < 3; ++a) {
        if (extents[a] == 0)
            subject.fail(ErrorCode::data,
                         "found extents " + describe_extents(extents) + ", wanted at least one point on each axis");
        if (extents[a] > most)
            subject.fail(ErrorCode::data, "found extents " + describe_extents(extents) + ", which no memory holds");
        most /= extents[a];
        points[a] = static_cast<Index>(extents[a]);
    }
    return points;
}

}  // namespace

std::string describe_shape(const std::vector<hsize_t>& extents) {
    if (extents.empty()) return "a single value";
    return std::to_string(extents.size()) + "-D of extents " + describe_extents(extents);
}

Numbers open_numbers(hid_t file, const std::string& path, const std::string& dataset, const std::string& wanted) {
    const Quiet quiet;
    Numbers numbers;
    numbers.subject = {ErrorCode::file, path + ", dataset " + dataset};
    const Subject& subject = numbers.subject;
    require_dataset(file, subject, dataset);

    const Properties access(subject.check(H5Pcreate(H5P_DATASET_ACCESS), "cannot set its cache"));
    subject.check(H5Pset_chunk_cache(access.get(), 10007, chunk_cache_bytes, 1.0), "cannot set its cache");
    numbers.dataset = Dataset(subject.check(H5Dopen2(file, dataset.c_str(), access.get()), "cannot be opened"));

    const Type type(subject.check(H5Dget_type(numbers.dataset.get()), "cannot read its type"));
    if (!is_float32_or_64(type.get()))
        subject.fail(ErrorCode::data, "found type " + describe_type(type.get()) + ", wanted float32 or float64");
    numbers.type_bytes = static_cast<int>(H5Tget_size(type.get()));
    numbers.native_order = H5Tget_order(type.get()) == H5Tget_order(H5T_NATIVE_DOUBLE);
    numbers.type_name = describe_type(type.get());

    const Space space(subject.check(H5Dget_space(numbers.dataset.get()), "cannot read its shape"));
    if (H5Sget_simple_extent_type(space.get()) == H5S_NULL)
        subject.fail(ErrorCode::data, "found no values, wanted " + wanted);
    numbers.extents = extents_of(space.get(), subject);
    return numbers;
}

Source open_source(hid_t file, const std::string& path, const std::string& dataset) {
    const Quiet quiet;
    Source source{open_numbers(file, path, dataset, "a 3-D array"), {}, {}, 1};
    source.points = read_points(source.extents, source.subject);
    const Storage storage = inspect_storage(source.dataset.get(), path, source.subject);
    source.storage = storage.description;
    source.chunk_planes = storage.chunk_planes;
    return source;
}

}  // namespace poisson3d::h5
