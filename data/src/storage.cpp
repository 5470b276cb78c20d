#include "storage.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

namespace poisson3d::h5 {

namespace {

// The names of the filters after a comma each. A filter that is not there would only show when the first chunk is
// read, so it is asked for now.
std::string describe_filters(hid_t creation, const Subject& subject) {
    const int count = subject.check(H5Pget_nfilters(creation), "cannot read its filters");
    std::string text;
    for (unsigned i = 0; i < static_cast<unsigned>(count); ++i) {
        std::array<char, 64> name{};
        std::size_t no_values = 0;
        unsigned flags = 0, config = 0;
        const H5Z_filter_t filter = subject.check(
            H5Pget_filter2(creation, i, &flags, &no_values, nullptr, name.size(), name.data(), &config),
            "cannot read its filters");
        const std::string called = name[0] == '\0' ? "filter " + std::to_string(filter) : name.data();
        if (H5Zfilter_avail(filter) <= 0)
            subject.fail(
                "is packed with " + called + " (HDF5 filter " + std::to_string(filter) +
                "), which is not installed here: set HDF5_PLUGIN_PATH, or unpack it with h5repack -f NONE");
        text += ", " + called;
    }
    return text;
}

Storage inspect_chunks(hid_t dataset, hid_t creation, const Subject& subject) {
    const Space space(subject.check(H5Dget_space(dataset), "cannot read its shape"));
    std::vector<hsize_t> extents = extents_of(space.get(), subject), largest = extents, chunk = extents;
    subject.check(H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), "cannot read its chunks");
    subject.check(H5Sget_simple_extent_dims(space.get(), extents.data(), largest.data()), "cannot read its shape");
    Storage storage;
    storage.description = "chunked " + describe_extents(chunk) + (largest == extents ? "" : ", extendible") +
                          describe_filters(creation, subject);
    storage.chunk_planes = static_cast<Index>(chunk[0]);
    return storage;
}

// Where HDF5 looks for an external file: beside HDF5_EXTFILE_PREFIX, else in the working directory.
std::filesystem::path locate_external(const std::filesystem::path& name, const std::string& file) {
    const char* prefix = std::getenv("HDF5_EXTFILE_PREFIX");  // NOLINT(concurrency-mt-unsafe)
    if (name.is_absolute() || prefix == nullptr || *prefix == '\0') return name;
    const std::string text = prefix, origin = "${ORIGIN}";
    if (text.rfind(origin, 0) != 0) return text / name;
    const auto folder = std::filesystem::absolute(file).parent_path();
    return folder.string() + text.substr(origin.size()) + "/" + name.string();
}

// HDF5 reads zeros from an external file that is too short and says nothing.
void require_external_files(hid_t dataset, hid_t creation, const std::string& path, const Subject& subject) {
    const int count = subject.check(H5Pget_external_count(creation), "cannot read its external files");
    const Space space(subject.check(H5Dget_space(dataset), "cannot read its shape"));
    const Type type(subject.check(H5Dget_type(dataset), "cannot read its type"));
    hsize_t missing = static_cast<hsize_t>(H5Sget_simple_extent_npoints(space.get())) * H5Tget_size(type.get());
    for (unsigned i = 0; i < static_cast<unsigned>(count) && missing > 0; ++i) {
        std::array<char, 4096> name{};
        off_t offset = 0;
        hsize_t bytes = 0;
        subject.check(H5Pget_external(creation, i, name.size() - 1, name.data(), &offset, &bytes),
                      "cannot read its external files");
        const auto file = locate_external(name.data(), path);
        const hsize_t needed = std::min(bytes, missing);
        std::error_code cause;
        const std::uintmax_t found = std::filesystem::file_size(file, cause);
        if (cause) subject.fail("its values are in the external file " + file.string() + ": " + cause.message());
        if (found < static_cast<hsize_t>(offset) + needed)
            subject.fail("its values are in the external file " + file.string() + ", which has " +
                         std::to_string(found) + " bytes, wanted " +
                         std::to_string(static_cast<hsize_t>(offset) + needed));
        missing -= needed;
    }
}

}  // namespace

Storage inspect_storage(hid_t dataset, const std::string& path, const Subject& subject) {
    const Properties creation(subject.check(H5Dget_create_plist(dataset), "cannot read its storage"));
    switch (H5Pget_layout(creation.get())) {
        case H5D_COMPACT: return {"compact", 1};
        case H5D_CHUNKED: return inspect_chunks(dataset, creation.get(), subject);
        case H5D_CONTIGUOUS:
            if (H5Pget_external_count(creation.get()) <= 0) return {"contiguous", 1};
            require_external_files(dataset, creation.get(), path, subject);
            return {"external", 1};
        case H5D_VIRTUAL:
            subject.fail(
                "is a virtual data set, and HDF5 fills what is missing from its sources without a word: copy it "
                "into a plain one with h5repack -l CONTI");
        default: subject.fail("lies in its file in a way this HDF5 does not name");
    }
}

}  // namespace poisson3d::h5
