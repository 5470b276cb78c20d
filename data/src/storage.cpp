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

namespace poisson3d::h5 {

namespace {

// A filter that is not there would only show when the first chunk is read, so it is asked for now.
void require_filters(const std::vector<Filter>& filters, const Subject& subject) {
    for (const Filter& filter : filters)
        if (H5Zfilter_avail(filter.number) <= 0)
            subject.fail(
                "is packed with " + filter.name + " (HDF5 filter " + std::to_string(filter.number) +
                "), which is not installed here: set HDF5_PLUGIN_PATH, or unpack it with h5repack -f NONE");
}

Packing packing_of(const std::vector<Filter>& filters) {
    const auto times = [&filters](H5Z_filter_t number) {
        return std::count_if(filters.begin(), filters.end(), [&](const Filter& f) { return f.number == number; });
    };
    const auto deflates = times(H5Z_FILTER_DEFLATE);
    const auto known = deflates + times(H5Z_FILTER_SHUFFLE) + times(H5Z_FILTER_FLETCHER32);
    if (filters.empty()) return Packing::none;
    return deflates <= 1 && known == static_cast<std::ptrdiff_t>(filters.size()) ? Packing::harmless
                                                                                 : Packing::other;
}

Storage inspect_chunks(hid_t dataset, hid_t creation, const Subject& subject) {
    const Space space(subject.check(H5Dget_space(dataset), "cannot read its shape"));
    const Chunked chunks = describe_chunks(dataset, creation, space.get(), subject);
    std::vector<hsize_t> extents = chunks.extents, largest = extents;
    subject.check(H5Sget_simple_extent_dims(space.get(), extents.data(), largest.data()), "cannot read its shape");
    const std::vector<Filter> filters = filters_of(creation, subject);
    require_filters(filters, subject);
    Storage storage{"chunked " + describe_extents(chunks.chunk) + (largest == extents ? "" : ", extendible"),
                    static_cast<Index>(chunks.chunk[chunks.chunk.size() < 3 ? 0 : chunks.chunk.size() - 3]),
                    packing_of(filters)};
    for (const Filter& filter : filters) storage.description += ", " + filter.name;
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

// Throws unless the fill value may be taken for what is missing.
void refuse_missing(const Input& input, hid_t creation, const Subject& subject, const std::string& missing) {
    H5D_fill_value_t kind = H5D_FILL_VALUE_ERROR;
    subject.check(H5Pfill_value_defined(creation, &kind), "cannot read its fill value");
    if (kind == H5D_FILL_VALUE_UNDEFINED)
        subject.fail(ErrorCode::data, missing + ", and it has no fill value to take there: write all of it");
    if (input.allow_fill()) return;
    double fill = 0.0;
    subject.check(H5Pget_fill_value(creation, H5T_NATIVE_DOUBLE, &fill), "cannot read its fill value");
    subject.fail(ErrorCode::data, missing + ": write all of it, or give --allow-fill to take its fill value " +
                                      format_number(fill) + " there");
}

// Where values lie behind the end that the file says it has, HDF5 gives whatever its buffer held before.
void require_inside(hid_t dataset, hsize_t bytes, const Subject& subject) {
    const File file(subject.check(H5Iget_file_id(dataset), "cannot tell its file"));
    const Properties creation(subject.check(H5Fget_create_plist(file.get()), "cannot tell its file"));
    hsize_t user_block = 0;
    haddr_t end = 0;
    subject.check(H5Pget_userblock(creation.get(), &user_block), "cannot tell its file");
    subject.check(H5Fget_eoa(file.get(), &end), "cannot tell its file");
    const haddr_t offset = H5Dget_offset(dataset);
    if (offset > user_block + end || user_block + end - offset < bytes)
        subject.fail("its values begin at byte " + std::to_string(offset) + " and have " + std::to_string(bytes) +
                     " bytes, but the file says that it ends at byte " + std::to_string(user_block + end) +
                     ": the file is damaged");
}

void require_chunks(const Input& input, hid_t dataset, hid_t creation, const Subject& subject) {
    const Space space(subject.check(H5Dget_space(dataset), "cannot read its shape"));
    const Chunked chunks = describe_chunks(dataset, creation, space.get(), subject);
    const hsize_t wanted = chunks.wanted;
#if H5_VERSION_GE(1, 10, 5)
    // The index is walked once. A chunk takes some 30 bytes of it, however small it is itself.
    input.expect_work(5e-6 * static_cast<double>(std::min<hsize_t>(wanted, input.files().bytes() / 30)));
    const hsize_t found = count_chunks(chunks, subject);
    if (found < wanted)
        refuse_missing(
            input, creation, subject,
            std::to_string(wanted - found) + " of its " + std::to_string(wanted) + " chunks were never written");
#else
    // The bytes of packed chunks say nothing: at least it can be told if there are none.
    H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
    subject.check(H5Dget_space_status(dataset, &status), "cannot tell its storage");
    const bool packed = subject.check(H5Pget_nfilters(creation), "cannot read its filters") > 0;
    if (status == H5D_SPACE_STATUS_NOT_ALLOCATED || (status != H5D_SPACE_STATUS_ALLOCATED && !packed))
        refuse_missing(input, creation, subject,
                       "some of its " + std::to_string(wanted) + " chunks were never written");
#endif
}

// Bytes of the values of an open data set. Throws Error{data} if they cannot be counted.
hsize_t bytes_of(hid_t dataset, const Subject& subject) {
    const Space space(subject.check(H5Dget_space(dataset), "cannot read its shape"));
    const Type type(subject.check(H5Dget_type(dataset), "cannot read its type"));
    const std::vector<hsize_t> extents = extents_of(space.get(), subject);
    hsize_t bytes = H5Tget_size(type.get());
    for (const hsize_t extent : extents) {
        if (extent != 0 && bytes > (hsize_t{1} << 62U) / extent)
            subject.fail(ErrorCode::data, "found extents " + describe_extents(extents) + ", which no memory holds");
        bytes *= extent;
    }
    return bytes;
}

// Whether all values were ever written: HDF5 reads the fill value, as a rule 0, where none was, and says nothing.
// Throws Error{data}, saying how much is missing, if a contiguous data set has no storage or a chunked one not all
// of its chunks; with input.allow_fill() only if there is no fill value to take instead. Throws Error{file} if the
// storage is smaller than the values, or a chunk other than its extents and filters say. Chunks that exist but
// were written in part cannot be told from whole ones.
void require_written(const Input& input, hid_t dataset, hid_t creation, const Subject& subject) {
    const hsize_t bytes = bytes_of(dataset, subject);
    if (bytes == 0) return;
    const H5D_layout_t layout = H5Pget_layout(creation);
    if (layout == H5D_CHUNKED) return require_chunks(input, dataset, creation, subject);
    if (layout == H5D_CONTIGUOUS && H5Dget_offset(dataset) == HADDR_UNDEF)
        return refuse_missing(input, creation, subject, "none of its values was ever written");
    if (layout == H5D_CONTIGUOUS) require_inside(dataset, bytes, subject);
    const hsize_t stored = H5Dget_storage_size(dataset);
    if (stored < bytes)
        subject.fail("has storage for " + std::to_string(stored) + " bytes, wanted " + std::to_string(bytes) +
                     ": the file is damaged");
}

}  // namespace

Storage inspect_storage(const Input& input, hid_t dataset, const Subject& subject) {
    const Properties creation(subject.check(H5Dget_create_plist(dataset), "cannot read its storage"));
    const auto written = [&](Storage storage) {
        require_written(input, dataset, creation.get(), subject);
        return storage;
    };
    switch (H5Pget_layout(creation.get())) {
        case H5D_COMPACT: return written({"compact"});
        case H5D_CHUNKED: return written(inspect_chunks(dataset, creation.get(), subject));
        case H5D_CONTIGUOUS:
            if (H5Pget_external_count(creation.get()) <= 0) return written({"contiguous"});
            inspect_external_files(input, dataset, creation.get(), bytes_of(dataset, subject), subject);
            return {"external"};
        case H5D_VIRTUAL:
            subject.fail(
                "is a virtual data set, and HDF5 fills what is missing from its sources without a word: copy it "
                "into a plain one with h5repack -l CONTI");
        default: subject.fail("lies in its file in a way this HDF5 does not name");
    }
}

}  // namespace poisson3d::h5
