#include "npz.hpp"

#include <zlib.h>

#include <algorithm>

#include "poisson3d/text.hpp"

namespace poisson3d {

namespace {

constexpr std::uint64_t most_members = 4096;
constexpr std::uint64_t longest_directory = std::uint64_t{16} << 20U;
constexpr std::size_t end_bytes = 22, longest_comment = 65535, locator_bytes = 20, end64_bytes = 56;

using Bytes = std::vector<unsigned char>;

std::uint64_t number(const Bytes& bytes, std::size_t at, std::size_t width) {
    return h5::little_endian(bytes.data() + at, width);
}

struct ZipDirectory {
    std::uint64_t offset = 0, bytes = 0, members = 0;
};

class Archive {
public:
    Archive(int descriptor, std::uint64_t bytes, const h5::Subject& subject)
        : descriptor_(descriptor), bytes_(bytes), subject_(subject) {}

    [[nodiscard]] Bytes read(std::uint64_t offset, std::uint64_t count) const {
        if (offset > bytes_ || count > bytes_ - offset) fail("a part of it lies beyond its end");
        Bytes bytes(count);
        read_at(descriptor_, bytes.data(), bytes.size(), offset, subject_);
        return bytes;
    }

    [[nodiscard]] ZipDirectory directory() const {
        const std::uint64_t tail_bytes = std::min<std::uint64_t>(bytes_, end_bytes + longest_comment);
        const Bytes tail = read(bytes_ - tail_bytes, tail_bytes);
        for (std::size_t at = tail.size(); at-- > 0;) {
            if (at + end_bytes > tail.size() || number(tail, at, 4) != 0x06054b50U) continue;
            ZipDirectory found{number(tail, at + 16, 4), number(tail, at + 12, 4), number(tail, at + 10, 2)};
            const std::uint64_t end = bytes_ - tail_bytes + at;
            if (found.offset == 0xffffffffU || found.bytes == 0xffffffffU || found.members == 0xffffU)
                found = directory64(end);
            return found;
        }
        fail("found no directory at its end");
    }

    [[nodiscard]] std::vector<ZipMember> members() const {
        const ZipDirectory found = directory();
        if (found.members > most_members || found.bytes > longest_directory)
            fail("found " + std::to_string(found.members) + " members, wanted at most " +
                 std::to_string(most_members));
        const Bytes all = read(found.offset, found.bytes);
        std::vector<ZipMember> list;
        std::size_t at = 0;
        for (std::uint64_t count = 0; count < found.members; ++count) {
            constexpr std::size_t fixed = 46;
            if (all.size() - at < fixed || number(all, at, 4) != 0x02014b50U) fail("its directory is damaged");
            const std::size_t name = number(all, at + 28, 2), extra = number(all, at + 30, 2);
            const std::size_t whole = fixed + name + extra + number(all, at + 32, 2);
            if (all.size() - at < whole) fail("its directory is damaged");
            ZipMember member;
            member.name.assign(all.begin() + static_cast<std::ptrdiff_t>(at + fixed),
                               all.begin() + static_cast<std::ptrdiff_t>(at + fixed + name));
            const std::uint64_t flags = number(all, at + 8, 2), method = number(all, at + 10, 2);
            member.deflated = method == 8;
            member.crc = static_cast<std::uint32_t>(number(all, at + 16, 4));
            member.packed = number(all, at + 20, 4);
            member.bytes = number(all, at + 24, 4);
            member.header = number(all, at + 42, 4);
            widen(member, all, at + fixed + name, extra);
            if ((flags & 1U) != 0) fail("member " + printable(member.name) + " is encrypted");
            if (method != 0 && method != 8)
                fail("member " + printable(member.name) + ": found packing " + std::to_string(method) +
                     ", wanted 0 (stored) or 8 (deflated)");
            list.push_back(std::move(member));
            at += whole;
        }
        return list;
    }

    [[noreturn]] void fail(const std::string& what) const { subject_.fail("the archive cannot be read: " + what); }

private:
    [[nodiscard]] ZipDirectory directory64(std::uint64_t end) const {
        if (end < locator_bytes) fail("its directory is damaged");
        const Bytes locator = read(end - locator_bytes, locator_bytes);
        if (number(locator, 0, 4) != 0x07064b50U) fail("its directory is damaged");
        const Bytes found = read(number(locator, 8, 8), end64_bytes);
        if (number(found, 0, 4) != 0x06064b50U) fail("its directory is damaged");
        return {number(found, 48, 8), number(found, 40, 8), number(found, 32, 8)};
    }

    /// Numbers that do not fit 32 bits stand in an extra field, in this order, those that do not fit alone.
    void widen(ZipMember& member, const Bytes& all, std::size_t at, std::size_t extra) const {
        const std::size_t end = at + extra;
        while (end - at >= 4) {
            const std::size_t kind = number(all, at, 2), size = number(all, at + 2, 2);
            at += 4;
            if (size > end - at) fail("its directory is damaged");
            if (kind == 1) {
                std::size_t next = at;
                for (std::uint64_t* const value : {&member.bytes, &member.packed, &member.header}) {
                    if (*value != 0xffffffffU) continue;
                    if (next + 8 > at + size) fail("its directory is damaged");
                    *value = number(all, next, 8);
                    next += 8;
                }
            }
            at += size;
        }
    }

    int descriptor_;
    std::uint64_t bytes_;
    const h5::Subject& subject_;
};

/// zlib's state, freed by its owner.
class Inflater {
public:
    Inflater() { good_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
    ~Inflater() {
        if (good_) static_cast<void>(inflateEnd(&stream_));
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    [[nodiscard]] bool good() const noexcept { return good_; }
    z_stream& stream() noexcept { return stream_; }

private:
    z_stream stream_{};
    bool good_ = false;
};

}  // namespace

std::vector<ZipMember> list_zip(int descriptor, std::uint64_t bytes, const h5::Subject& subject) {
    return Archive(descriptor, bytes, subject).members();
}

std::uint64_t find_zip_data(int descriptor, std::uint64_t bytes, const ZipMember& member,
                            const h5::Subject& subject) {
    const Archive archive(descriptor, bytes, subject);
    const Bytes local = archive.read(member.header, 30);
    if (number(local, 0, 4) != 0x04034b50U) archive.fail("its directory leads to no member");
    const std::uint64_t data = member.header + 30 + number(local, 26, 2) + number(local, 28, 2);
    if (data > bytes || member.packed > bytes - data) archive.fail("a member lies beyond its end");
    if (!member.deflated && member.packed != member.bytes) archive.fail("a stored member has two sizes");
    return data;
}

std::shared_ptr<ScratchFile> inflate(int descriptor, std::uint64_t data, const ZipMember& member,
                                     const h5::Subject& subject) {
    constexpr std::size_t part = std::size_t{1} << 18U;
    const auto damaged = [&] { subject.fail("cannot be unpacked: it is damaged"); };
    // Deflate packs a byte into no less than 1/1032 of one.
    if (member.bytes / 1032 > member.packed) damaged();
    const auto file = std::make_shared<ScratchFile>();
    file->require_space(member.bytes);
    Inflater inflater;
    if (!inflater.good()) subject.fail(ErrorCode::out_of_memory, "there is no memory to unpack it");
    z_stream& stream = inflater.stream();
    Bytes packed(part), unpacked(part);
    std::uint64_t taken = 0, made = 0;
    uLong crc = crc32(0, nullptr, 0);
    int answer = Z_OK;
    while (answer != Z_STREAM_END) {
        if (stream.avail_in == 0 && taken < member.packed) {
            const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(part, member.packed - taken));
            read_at(descriptor, packed.data(), count, data + taken, subject);
            stream.next_in = packed.data();
            stream.avail_in = static_cast<uInt>(count);
            taken += count;
        }
        stream.next_out = unpacked.data();
        stream.avail_out = static_cast<uInt>(part);
        answer = ::inflate(&stream, Z_NO_FLUSH);
        const std::size_t count = part - stream.avail_out;
        if (answer == Z_MEM_ERROR) subject.fail(ErrorCode::out_of_memory, "there is no memory to unpack it");
        if ((answer != Z_OK && answer != Z_STREAM_END) || count > member.bytes - made) damaged();
        crc = crc32(crc, unpacked.data(), static_cast<uInt>(count));
        write_at(file->descriptor(), unpacked.data(), count, made, file->subject());
        made += count;
    }
    if (made != member.bytes || crc != member.crc) damaged();
    return file;
}

}  // namespace poisson3d
