// NumPy's .npz files: .npy files in a ZIP archive, stored or deflated.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "file_bytes.hpp"

namespace poisson3d {

/// A file in the archive.
struct ZipMember {
    std::string name;          ///< "rhs.npy"
    bool deflated = false;     ///< else stored as it is
    std::uint32_t crc = 0;     ///< CRC-32 of the file
    std::uint64_t packed = 0;  ///< bytes in the archive
    std::uint64_t bytes = 0;   ///< of the file
    std::uint64_t header = 0;  ///< where its local header is
};

/// The members of an archive of `bytes` bytes, at most 4096, in its order; with 64-bit sizes as well. Throws
/// `subject`'s code for what is no archive, or damaged.
std::vector<ZipMember> list_zip(int descriptor, std::uint64_t bytes, const h5::Subject& subject);

/// Where the bytes of a member begin. Throws if they do not lie within the archive.
std::uint64_t find_zip_data(int descriptor, std::uint64_t bytes, const ZipMember& member,
                            const h5::Subject& subject);

/// A deflated member, whose bytes begin at `data`, unpacked into a temporary file. Throws if it is damaged: its
/// number of bytes or its CRC-32 are others.
std::shared_ptr<ScratchFile> inflate(int descriptor, std::uint64_t data, const ZipMember& member,
                                     const h5::Subject& subject);

}  // namespace poisson3d
