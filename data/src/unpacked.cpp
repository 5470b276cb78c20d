// Whether the chunks of a packed data set hold all their bytes. Filters of HDF5 believe what a chunk says of
// itself: where it ends too early they read on behind it, and what they give is filled up with whatever stood in
// memory.
#include "chunks.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <vector>

namespace poisson3d::h5 {

namespace {

constexpr double bytes_per_second = 2e7;  // at least, in and out

class Stream {
public:
    Stream() {
        if (inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
    }
    ~Stream() { static_cast<void>(inflateEnd(&stream_)); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /// Bytes that the deflate stream `packed` makes; `most` + 1 for any more than `most`, 0 for a damaged one.
    hsize_t count(const std::vector<unsigned char>& packed, hsize_t bytes, hsize_t most) {
        std::array<unsigned char, 1U << 16U> scratch;
        static_cast<void>(inflateReset(&stream_));
        hsize_t given = 0, made = 0;
        for (int state = Z_OK; state == Z_OK;) {
            if (stream_.avail_in == 0) {
                stream_.next_in = const_cast<unsigned char*>(packed.data() + given);  // zlib only reads it
                stream_.avail_in = static_cast<uInt>(std::min<hsize_t>(bytes - given, 1U << 30U));
                given += stream_.avail_in;
            }
            stream_.next_out = scratch.data();
            stream_.avail_out = static_cast<uInt>(scratch.size());
            state = inflate(&stream_, Z_NO_FLUSH);
            made += scratch.size() - stream_.avail_out;
            if (made > most) return most + 1;
            if (state != Z_OK && state != Z_STREAM_END) return 0;
        }
        return made;
    }

private:
    z_stream stream_{};
};

// Scaleoffset keeps how many bits a number takes, 17 bytes of other things, and then the numbers.
bool scaled_whole(const std::vector<unsigned char>& stored, hsize_t bytes, hsize_t numbers, hsize_t wanted) {
    constexpr hsize_t head = 21;
    if (bytes < head) return false;
    const hsize_t bits = little_endian(stored.data(), 4);
    return bits * numbers <= 8 * wanted && bytes - head >= (bits * numbers + 7) / 8;
}

struct Unpacking {
    std::vector<Filter> filters;  // in the order in which they were used
    hsize_t wanted;               // bytes of a chunk
    hsize_t numbers;              // in a chunk
    Stream stream;

    // What the filters, the last one first, make of the stored bytes of a chunk; 0 if these are not whole.
    hsize_t count(unsigned skipped, const std::vector<unsigned char>& stored) {
        hsize_t bytes = stored.size();
        bool as_stored = true;  // the first bytes are those of the chunk
        for (std::size_t i = filters.size(); i-- > 0;) {
            if ((skipped >> i & 1U) != 0) continue;
            switch (filters[i].number) {
                case H5Z_FILTER_FLETCHER32: bytes -= std::min(bytes, checksum_bytes); continue;
                case H5Z_FILTER_NBIT:
                case H5Z_FILTER_SHUFFLE: break;
                case H5Z_FILTER_DEFLATE:
                    bytes = as_stored ? stream.count(stored, bytes, wanted + checksum_bytes) : wanted;
                    break;
                case H5Z_FILTER_SCALEOFFSET:
                    bytes = !as_stored || scaled_whole(stored, bytes, numbers, wanted) ? wanted : 0;
                    break;
                case H5Z_FILTER_SZIP:
                    bytes = !as_stored || (bytes > 4 && little_endian(stored.data(), 4) == wanted) ? wanted : 0;
                    break;
                default: bytes = wanted;
            }
            as_stored = false;
        }
        return bytes;
    }
};

// Moves on to the chunk after the one at `offset`; false after the last one.
bool step(const Chunked& chunks, std::vector<hsize_t>& offset) {
    for (std::size_t a = offset.size(); a-- > 0;) {
        offset[a] += chunks.chunk[a];
        if (offset[a] < chunks.extents[a]) return true;
        offset[a] = 0;
    }
    return false;
}

}  // namespace

void require_whole_chunks(const Input& input, hid_t dataset, const Subject& subject) {
#if H5_VERSION_GE(1, 10, 3)  // reads chunks as they are stored
    const Quiet quiet;
    const Properties creation(subject.check(H5Dget_create_plist(dataset), "cannot read its storage"));
    const Space space(subject.check(H5Dget_space(dataset), "cannot read its shape"));
    const Chunked chunks = describe_chunks(dataset, creation.get(), space.get(), subject);
    const Type type(subject.check(H5Dget_type(dataset), "cannot read its type"));
    const hsize_t wanted = bytes_of_chunk(chunks, subject);
    Unpacking unpacking{filters_of(creation.get(), subject), wanted, wanted / H5Tget_size(type.get()), {}};
    std::vector<unsigned char> stored;
    std::vector<hsize_t> offset(chunks.extents.size(), 0);
    do {
        hsize_t bytes = 0;
        subject.check(H5Dget_chunk_storage_size(dataset, offset.data(), &bytes), "cannot read its index of chunks");
        if (bytes == 0) continue;
        if (bytes > input.files().bytes())
            subject.fail("one of its chunks has " + std::to_string(bytes) + " bytes, which is more than there are");
        input.expect_work(static_cast<double>(bytes + wanted) / bytes_per_second);
        stored.resize(bytes);
        unsigned skipped = 0;
        subject.check(H5Dread_chunk(dataset, H5P_DEFAULT, offset.data(), &skipped, stored.data()),
                      "cannot be read");
        const hsize_t found = unpacking.count(skipped, stored);
        if (found != wanted)
            subject.fail("the chunk at " + describe_extents(offset) + " unpacks to " + std::to_string(found) +
                         " bytes, wanted " + std::to_string(wanted) + ": the file is damaged");
    } while (step(chunks, offset));
#else
    static_cast<void>(input), static_cast<void>(dataset), static_cast<void>(subject);
#endif
}

}  // namespace poisson3d::h5
