// Texts of variable length as HDF5 files keep them: a length and a position in a global heap, which holds the text
// and its length once more.
#include "h5_attributes.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>

#include "poisson3d/text.hpp"

namespace poisson3d::h5 {

namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::size_t max_objects = std::size_t{1} << 16;  // of one heap: they have numbers of 16 bits
constexpr hsize_t max_text_bytes = hsize_t{64} << 20;      // of all texts of an attribute

// The bytes of an attribute as they are stored: a conversion that leaves them alone.
herr_t leave_alone(hid_t, hid_t, H5T_cdata_t* conversion, std::size_t, std::size_t, std::size_t, void*, void*,
                   hid_t) {
    if (conversion->command == H5T_CONV_INIT) conversion->need_bkg = H5T_BKG_NO;
    return 0;
}

// HDF5 knows that conversion while this lives.
class Unconverted {
public:
    Unconverted(hid_t stored, hid_t bytes, const Subject& subject) {
        subject.check(H5Tregister(H5T_PERS_SOFT, name, stored, bytes, leave_alone), "cannot be read");
    }
    ~Unconverted() { static_cast<void>(H5Tunregister(H5T_PERS_SOFT, name, -1, -1, leave_alone)); }
    Unconverted(const Unconverted&) = delete;
    Unconverted& operator=(const Unconverted&) = delete;

private:
    static constexpr const char* name = "poisson3d: bytes as they are stored";
};

// The file an attribute lies in, below HDF5.
class HeapFile {
public:
    struct Span {
        hsize_t offset, bytes;
    };

    HeapFile(hid_t attribute, const Subject& subject)
        : subject_(subject), file_(subject.check(H5Iget_file_id(attribute), "cannot tell its file")) {
        const Properties creation(subject.check(H5Fget_create_plist(file_.get()), "cannot tell its file"));
        subject.check(H5Pget_sizes(creation.get(), &address_bytes_, &size_bytes_), "cannot tell its file");
        subject.check(H5Pget_userblock(creation.get(), &base_), "cannot tell its file");
        void* handle = nullptr;
        subject.check(H5Fget_vfd_handle(file_.get(), H5P_DEFAULT, &handle), "cannot tell its file");
        descriptor_ = *static_cast<int*>(handle);
        if (address_bytes_ > 8 || size_bytes_ > 8) damaged("its addresses have more than 8 bytes");
    }

    [[nodiscard]] std::size_t address_bytes() const noexcept { return address_bytes_; }

    Bytes read(hsize_t offset, hsize_t count) const {
        Bytes bytes(count);
        std::size_t done = 0;
        while (done < count) {
            const ssize_t more =
                pread(descriptor_, bytes.data() + done, count - done, static_cast<off_t>(base_ + offset + done));
            if (more < 0 && errno == EINTR) continue;
            if (more < 0) subject_.fail("cannot be read: " + describe_errno(errno));
            if (more == 0) damaged("its text lies behind the end of the file");
            done += static_cast<std::size_t>(more);
        }
        return bytes;
    }

    /// Where an object of the heap at `address` lies.
    Span find(hsize_t address, hsize_t number) {
        auto known = heaps_.find(address);
        if (known == heaps_.end()) known = heaps_.emplace(address, list(address)).first;
        const auto span = known->second.find(number);
        if (span == known->second.end()) damaged("its text is not in the heap");
        return span->second;
    }

    [[noreturn]] void damaged(const std::string& what) const { subject_.fail(what + ": the file is damaged"); }

private:
    using Heap = std::map<hsize_t, Span>;

    // The header: "GCOL", version, 3 unused bytes, bytes of the whole heap. An object: number, references, 4 unused
    // bytes, its own bytes, the data filled up to eight. Number 0 is what is left of the heap.
    Heap list(hsize_t address) const {
        if (address > hsize_t{1} << 62U) damaged("its heap lies behind the end of the file");
        const std::size_t head = 8 + size_bytes_;
        const Bytes start = read(address, head);
        if (std::memcmp(start.data(), "GCOL\1", 5) != 0) damaged("there is no heap where its text should be");
        const hsize_t heap_bytes = little_endian(start.data() + 8, size_bytes_);
        if (heap_bytes > hsize_t{1} << 62U) damaged("its heap is larger than the file");
        const hsize_t end = address + heap_bytes;
        Heap heap;
        for (hsize_t at = address + head; at + head <= end;) {
            const Bytes object = read(at, head);
            const hsize_t number = little_endian(object.data(), 2);
            const hsize_t bytes = little_endian(object.data() + 8, size_bytes_);
            if (number == 0) break;
            if (bytes > end - at - head || heap.size() == max_objects) damaged("its heap is not whole");
            heap.emplace(number, Span{at + head, bytes});
            at += head + (bytes + 7) / 8 * 8;
        }
        return heap;
    }

    const Subject& subject_;
    File file_;
    std::size_t address_bytes_ = 0, size_bytes_ = 0;
    hsize_t base_ = 0;
    int descriptor_ = -1;
    std::map<hsize_t, Heap> heaps_;
};

Bytes read_stored(hid_t attribute, std::size_t count, std::size_t element, const Subject& subject) {
    const Type type(subject.check(H5Aget_type(attribute), "cannot read its type"));
    const Type bytes(subject.check(H5Tcreate(H5T_OPAQUE, element), "cannot make a type of bytes"));
    subject.check(H5Tset_tag(bytes.get(), "as stored"), "cannot make a type of bytes");
    Bytes stored(count * element);
    const Unconverted scope(type.get(), bytes.get(), subject);
    subject.check(H5Aread(attribute, bytes.get(), stored.data()), "cannot be read");
    return stored;
}

}  // namespace

std::vector<std::string> read_heap_texts(hid_t attribute, std::size_t count, const Subject& subject) {
    HeapFile file(attribute, subject);
    const std::size_t element = 4 + file.address_bytes() + 4;
    const Bytes stored = read_stored(attribute, count, element, subject);
    std::vector<std::string> texts;
    hsize_t all_bytes = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned char* const at = stored.data() + i * element;
        const hsize_t length = little_endian(at, 4), address = little_endian(at + 4, file.address_bytes()),
                      number = little_endian(at + 4 + file.address_bytes(), 4);
        if (length == 0 || address == 0) {
            texts.emplace_back();
            continue;
        }
        const HeapFile::Span span = file.find(address, number);
        if (span.bytes != length)
            file.damaged("found a text of " + std::to_string(span.bytes) + " bytes, wanted " +
                         std::to_string(length));
        all_bytes += length;
        if (all_bytes > max_text_bytes)
            subject.fail(ErrorCode::data, "found texts of more than " + format_bytes(max_text_bytes));
        const Bytes text = file.read(span.offset, length);
        texts.emplace_back(text.begin(), text.end());
    }
    return texts;
}

}  // namespace poisson3d::h5
