#include "chunks.hpp"

#include <array>
#include <optional>
#include <string>

#include "poisson3d/text.hpp"

namespace poisson3d::h5 {

Chunked describe_chunks(hid_t dataset, hid_t creation, hid_t space, const Subject& subject) {
    Chunked chunks{dataset, creation, space, extents_of(space, subject), {}, 1};
    chunks.chunk = chunks.extents;
    subject.check(H5Pget_chunk(creation, static_cast<int>(chunks.chunk.size()), chunks.chunk.data()),
                  "cannot read its chunks");
    // No more than there are values, which can be counted.
    for (std::size_t a = 0; a < chunks.extents.size(); ++a) {
        if (chunks.chunk[a] == 0) subject.fail("the extents of its chunks are " + describe_extents(chunks.chunk));
        chunks.wanted *= (chunks.extents[a] - 1) / chunks.chunk[a] + 1;
    }
    return chunks;
}

hsize_t bytes_of_chunk(const Chunked& chunks, const Subject& subject) {
    const Type type(subject.check(H5Dget_type(chunks.dataset), "cannot read its type"));
    hsize_t bytes = H5Tget_size(type.get());
    for (const hsize_t extent : chunks.chunk) bytes *= extent;  // below 4 GiB, HDF5 saw to it
    return bytes;
}

std::vector<Filter> filters_of(hid_t creation, const Subject& subject) {
    std::vector<Filter> filters;
    const int count = subject.check(H5Pget_nfilters(creation), "cannot read its filters");
    for (unsigned i = 0; i < static_cast<unsigned>(count); ++i) {
        std::array<char, 64> name{};
        std::size_t no_values = 0;
        unsigned flags = 0, config = 0;
        const H5Z_filter_t number = subject.check(
            H5Pget_filter2(creation, i, &flags, &no_values, nullptr, name.size(), name.data(), &config),
            "cannot read its filters");
        name.back() = '\0';
        filters.push_back({number, name[0] == '\0' ? "filter " + std::to_string(number) : printable(name.data())});
    }
    return filters;
}

#if H5_VERSION_GE(1, 10, 5)  // what is used here came with it

namespace {

constexpr hsize_t max_one_by_one = 1024;
// Bytes in the file of a chunk for which the filters in `skipped` were not used; none if they may be any number.
std::optional<hsize_t> stored_bytes(const Chunked& chunks, unsigned skipped, hsize_t bytes,
                                    const Subject& subject) {
    const std::vector<Filter> filters = filters_of(chunks.creation, subject);
    for (std::size_t i = 0; i < filters.size(); ++i) {
        if ((skipped >> i & 1U) != 0) continue;
        if (filters[i].number == H5Z_FILTER_FLETCHER32)
            bytes += checksum_bytes;
        else if (filters[i].number != H5Z_FILTER_SHUFFLE)
            return std::nullopt;
    }
    return bytes;
}

[[noreturn]] void refuse(const Subject& subject, const std::string& what, hsize_t found, hsize_t wanted) {
    subject.fail(what + " " + std::to_string(found) + " bytes in the file, wanted " + std::to_string(wanted) +
                 ": the file is damaged");
}

hsize_t count_one_by_one(const Chunked& chunks, hsize_t listed, hsize_t bytes, const Subject& subject) {
    std::vector<bool> seen(chunks.wanted);
    hsize_t count = 0;
    for (hsize_t i = 0; i < listed; ++i) {
        std::array<hsize_t, H5S_MAX_RANK> offset{};
        unsigned skipped = 0;
        haddr_t address = HADDR_UNDEF;
        hsize_t stored = 0;
        subject.check(
            H5Dget_chunk_info(chunks.dataset, chunks.space, i, offset.data(), &skipped, &address, &stored),
            "cannot read its index of chunks");
        const std::optional<hsize_t> wanted = stored_bytes(chunks, skipped, bytes, subject);
        if (wanted && stored != *wanted) refuse(subject, "one of its chunks has", stored, *wanted);
        hsize_t number = 0;
        bool inside = address != HADDR_UNDEF;
        for (std::size_t a = 0; a < chunks.extents.size(); ++a) {
            inside = inside && offset[a] < chunks.extents[a] && offset[a] % chunks.chunk[a] == 0;
            number = number * ((chunks.extents[a] - 1) / chunks.chunk[a] + 1) + offset[a] / chunks.chunk[a];
        }
        if (!inside || seen[number]) continue;
        seen[number] = true;
        ++count;
    }
    return count;
}

}  // namespace

hsize_t count_chunks(const Chunked& chunks, const Subject& subject) {
    hsize_t listed = 0;
    subject.check(H5Dget_num_chunks(chunks.dataset, chunks.space, &listed), "cannot count its chunks");
    const hsize_t bytes = bytes_of_chunk(chunks, subject);
    if (chunks.wanted <= max_one_by_one && listed <= 2 * max_one_by_one)
        return count_one_by_one(chunks, listed, bytes, subject);
    const hsize_t stored = H5Dget_storage_size(chunks.dataset);
    if (filters_of(chunks.creation, subject).empty() && stored != listed * bytes)
        refuse(subject, "its chunks have", stored, listed * bytes);
    return listed;
}

#endif

}  // namespace poisson3d::h5
