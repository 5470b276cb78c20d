// The index of a chunked data set against what its shape and filters say. HDF5 believes it: a chunk that is too
// short is filled up with whatever stood in memory, one too long is read past its buffer.
#pragma once

#include <string>
#include <vector>

#include "input.hpp"

namespace poisson3d::h5 {

struct Chunked {
    hid_t dataset;
    hid_t creation;
    hid_t space;
    std::vector<hsize_t> extents;  ///< of the data set
    std::vector<hsize_t> chunk;    ///< extents of a chunk
    hsize_t wanted;                ///< chunks that the extents take
};

constexpr hsize_t checksum_bytes = 4;  ///< that the filter fletcher32 adds to a chunk

Chunked describe_chunks(hid_t dataset, hid_t creation, hid_t space, const Subject& subject);

/// Of a chunk that went through no filter.
hsize_t bytes_of_chunk(const Chunked& chunks, const Subject& subject);

struct Filter {
    H5Z_filter_t number;
    std::string name;  ///< for people
};

/// In the order in which they are used when a chunk is written.
std::vector<Filter> filters_of(hid_t creation, const Subject& subject);

/// How many chunks there are, counting none twice. Throws Error{file} for chunks whose size in the file cannot be
/// theirs. The index is walked for each chunk, so of large ones it is the number and the sum that are looked at.
hsize_t count_chunks(const Chunked& chunks, const Subject& subject);

/// Reads each chunk of a data set as it is stored and counts the bytes that its filters make of it: deflate by
/// inflating, scaleoffset and szip by what they keep at the beginning; nbit leaves whole numbers as they are.
/// Throws Error{file} if these are not those of a chunk. Passes over chunks that were never written, and over
/// filters that are not HDF5's own.
void require_whole_chunks(const Input& input, hid_t dataset, const Subject& subject);

}  // namespace poisson3d::h5
