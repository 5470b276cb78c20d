#include "chunks.hpp"

#include <array>
#include <optional>
#include <string>

#if H5_VERSION_GE(1, 10, 5)  // what is used here came with it

namespace poisson3d::h5 {

namespace {

constexpr hsize_t most_one_by_one = 1024;
constexpr std::size_t checksum_bytes = 4;  // of the filter fletcher32

hsize_t bytes_of_chunk(const Chunked& chunks, const Subject& subject) {
    const Type type(subject.check(H5Dget_type(chunks.dataset), "cannot read its type"));
    hsize_t bytes = H5Tget_size(type.get());
    for (const hsize_t extent : chunks.chunk) bytes *= extent;  // below 4 GiB, HDF5 saw to it
    return bytes;
}

// Bytes in the file of a chunk for which the filters in `skipped` were not used; none if they may be any number.
std::optional<hsize_t> stored_bytes(const Chunked& chunks, unsigned skipped, hsize_t bytes,
                                    const Subject& subject) {
    const int filters = subject.check(H5Pget_nfilters(chunks.creation), "cannot read its filters");
    for (int i = 0; i < filters; ++i) {
        if ((skipped >> static_cast<unsigned>(i) & 1U) != 0) continue;
        unsigned flags = 0;
        unsigned config = 0;
        std::size_t count = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(chunks.creation, static_cast<unsigned>(i), &flags, &count, nullptr, 0, nullptr, &config);
        subject.check(filter, "cannot read its filters");
        if (filter == H5Z_FILTER_FLETCHER32)
            bytes += checksum_bytes;
        else if (filter != H5Z_FILTER_SHUFFLE)
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
    if (chunks.wanted <= most_one_by_one && listed <= 2 * most_one_by_one)
        return count_one_by_one(chunks, listed, bytes, subject);
    const hsize_t stored = H5Dget_storage_size(chunks.dataset);
    if (subject.check(H5Pget_nfilters(chunks.creation), "cannot read its filters") == 0 && stored != listed * bytes)
        refuse(subject, "its chunks have", stored, listed * bytes);
    return listed;
}

}  // namespace poisson3d::h5

#endif
