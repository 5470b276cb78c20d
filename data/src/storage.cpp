#include "storage.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "chunks.hpp"
#include "poisson3d/text.hpp"
#include "written.hpp"

namespace poisson3d::h5 {

namespace {

// Adds the names of the filters after a comma each. A filter that is not there would only show when the first chunk
// is read, so it is asked for now.
void inspect_filters(Storage& storage, hid_t creation, const Subject& subject) {
    const int count = subject.check(H5Pget_nfilters(creation), "cannot read its filters");
    storage.filtered = count > 0;
    for (unsigned i = 0; i < static_cast<unsigned>(count); ++i) {
        std::array<char, 64> name{};
        std::size_t no_values = 0;
        unsigned flags = 0, config = 0;
        const H5Z_filter_t filter = subject.check(
            H5Pget_filter2(creation, i, &flags, &no_values, nullptr, name.size(), name.data(), &config),
            "cannot read its filters");
        name.back() = '\0';
        const std::string called = name[0] == '\0' ? "filter " + std::to_string(filter) : printable(name.data());
        if (H5Zfilter_avail(filter) <= 0)
            subject.fail(
                "is packed with " + called + " (HDF5 filter " + std::to_string(filter) +
                "), which is not installed here: set HDF5_PLUGIN_PATH, or unpack it with h5repack -f NONE");
        storage.description += ", " + called;
    }
    const std::vector<H5Z_filter_t> filters = filters_of(creation, subject);
    const auto times = [&filters](H5Z_filter_t filter) {
        return std::count(filters.begin(), filters.end(), filter);
    };
    storage.trusted = times(H5Z_FILTER_DEFLATE) <= 1 &&
                      times(H5Z_FILTER_DEFLATE) + times(H5Z_FILTER_SHUFFLE) + times(H5Z_FILTER_FLETCHER32) == count;
}

Storage inspect_chunks(hid_t dataset, hid_t creation, const Subject& subject) {
    const Space space(subject.check(H5Dget_space(dataset), "cannot read its shape"));
    std::vector<hsize_t> extents = extents_of(space.get(), subject), largest = extents, chunk = extents;
    subject.check(H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), "cannot read its chunks");
    subject.check(H5Sget_simple_extent_dims(space.get(), extents.data(), largest.data()), "cannot read its shape");
    Storage storage;
    storage.description = "chunked " + describe_extents(chunk) + (largest == extents ? "" : ", extendible");
    storage.chunk_planes = static_cast<Index>(chunk[0]);
    inspect_filters(storage, creation, subject);
    return storage;
}

// Where HDF5 looks for an external file: beside HDF5_EXTFILE_PREFIX, else in the working directory.
std::filesystem::path locate_external(const std::filesystem::path& name, hid_t dataset, const Subject& subject) {
    const char* prefix = std::getenv("HDF5_EXTFILE_PREFIX");  // NOLINT(concurrency-mt-unsafe)
    if (name.is_absolute() || prefix == nullptr || *prefix == '\0') return name;
    const std::string text = prefix, origin = "${ORIGIN}";
    if (text.rfind(origin, 0) != 0) return text / name;
    // The directory of the file that holds the data set, which an external link may have led to.
    const ssize_t length = subject.check(H5Fget_name(dataset, nullptr, 0), "cannot tell its file");
    std::vector<char> holder(static_cast<std::size_t>(length) + 1, '\0');
    subject.check(H5Fget_name(dataset, holder.data(), holder.size()), "cannot tell its file");
    const auto folder = std::filesystem::absolute(holder.data()).parent_path();
    return folder.string() + text.substr(origin.size()) + "/" + name.string();
}

// HDF5 reads zeros from an external file that is too short and says nothing.
void inspect_external_files(const Input& input, hid_t dataset, hid_t creation, hsize_t missing,
                            const Subject& subject) {
    const int count = subject.check(H5Pget_external_count(creation), "cannot read its external files");
    for (unsigned i = 0; i < static_cast<unsigned>(count) && missing > 0; ++i) {
        std::array<char, 4096> name{};
        off_t offset = 0;
        hsize_t bytes = 0;
        subject.check(H5Pget_external(creation, i, name.size() - 1, name.data(), &offset, &bytes),
                      "cannot read its external files");
        const std::string path = locate_external(name.data(), dataset, subject).string();
        const Subject about{subject.code,
                            subject.name + ": its values are in the external file " + printable_name(path)};
        InputFile file = open_input_file(path, about);
        file.by_name = true;
        const std::size_t found = file.bytes();
        input.files().add(std::move(file));
        const hsize_t needed = std::min(bytes, missing), start = static_cast<hsize_t>(offset);
        if (offset < 0 || start > found || found - start < needed)
            about.fail("which has " + std::to_string(found) + " bytes, wanted " + std::to_string(needed) +
                       " from byte " + std::to_string(offset) + " on");
        missing -= needed;
    }
    if (missing > 0)
        subject.fail("its external files hold " + std::to_string(missing) + " bytes less than it has values");
}

}  // namespace

Storage inspect_storage(const Input& input, hid_t dataset, const Subject& subject) {
    const Properties creation(subject.check(H5Dget_create_plist(dataset), "cannot read its storage"));
    switch (H5Pget_layout(creation.get())) {
        case H5D_COMPACT: require_written(input, dataset, creation.get(), subject); return {"compact", 1};
        case H5D_CHUNKED: {
            const Storage storage = inspect_chunks(dataset, creation.get(), subject);
            require_written(input, dataset, creation.get(), subject);
            return storage;
        }
        case H5D_CONTIGUOUS:
            if (H5Pget_external_count(creation.get()) <= 0) {
                require_written(input, dataset, creation.get(), subject);
                return {"contiguous", 1};
            }
            inspect_external_files(input, dataset, creation.get(), bytes_of(dataset, subject), subject);
            return {"external", 1};
        case H5D_VIRTUAL:
            subject.fail(
                "is a virtual data set, and HDF5 fills what is missing from its sources without a word: copy it "
                "into a plain one with h5repack -l CONTI");
        default: subject.fail("lies in its file in a way this HDF5 does not name");
    }
}

}  // namespace poisson3d::h5
