// HDF5's C API under small owners: every call checked, its error stack turned into text, nothing printed.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "poisson3d/error.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::h5 {

/// While it lives an input is read (hdf5_is_reading()), and nothing reaches stderr: the C library would tell there,
/// in a line of its own, that a damaged file made HDF5 damage memory.
class Reading {
public:
    Reading() noexcept;
    ~Reading();
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
};

/// HDF5 prints its error stack to stderr unless told not to. While a Quiet lives it is silent; they nest, and the
/// last one restores what the program had set before.
class Quiet {
public:
    Quiet();
    ~Quiet();
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

private:
    H5E_auto2_t function_ = nullptr;
    void* data_ = nullptr;
};

/// Owns one HDF5 identifier; `Close` is the HDF5 call that gives it back. Move-only, its destructor never throws
/// and never prints.
template <herr_t (*Close)(hid_t)>
class Handle {
public:
    explicit Handle(hid_t id = H5I_INVALID_HID) noexcept : id_(id) {}
    ~Handle() { static_cast<void>(close()); }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
    Handle& operator=(Handle&& other) noexcept {
        if (this != &other) {
            static_cast<void>(close());
            id_ = std::exchange(other.id_, H5I_INVALID_HID);
        }
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    [[nodiscard]] hid_t get() const noexcept { return id_; }
    [[nodiscard]] bool valid() const noexcept { return id_ >= 0; }
    /// Gives up ownership without closing; what it named stays open until the process ends.
    void abandon() noexcept { id_ = H5I_INVALID_HID; }
    /// Gives the identifier back now; negative if HDF5 failed to (data that could not be flushed).
    [[nodiscard]] herr_t close() noexcept {
        if (!valid()) return 0;
        const Quiet quiet;
        return Close(std::exchange(id_, H5I_INVALID_HID));
    }

private:
    hid_t id_;
};

using File = Handle<H5Fclose>;
using Dataset = Handle<H5Dclose>;
using Object = Handle<H5Oclose>;
using Group = Handle<H5Gclose>;
using Space = Handle<H5Sclose>;
using Type = Handle<H5Tclose>;
using AttributeHandle = Handle<H5Aclose>;
using Properties = Handle<H5Pclose>;

/// Why the last HDF5 call failed. Ask before the next call, which clears the error stack.
struct Failure {
    enum class Kind { other, memory, descriptors, lock } kind = Kind::other;
    /// The most specific line of the stack, e.g. "inflate() failed" or "file write failed: No space left on
    /// device"; of memory, descriptors and locks a sentence that says what to do.
    std::string reason;
};
Failure last_failure();

/// What a call is about: the code its failure gets and the words its message begins with,
/// e.g. "field.h5, dataset /rhs".
struct Subject {
    ErrorCode code = ErrorCode::file;
    std::string name;

    /// Throws Error{code, "name: what"}.
    [[noreturn]] void fail(const std::string& what) const;
    /// Throws Error{other, "name: what"}.
    [[noreturn]] void fail(ErrorCode other, const std::string& what) const;
    /// After an HDF5 call failed: throws Error{code, "name: what: reason"}, Error{out_of_memory} if memory was
    /// missing.
    [[noreturn]] void fail_with_reason(const std::string& what) const;
    /// The answer of an HDF5 call, unless it is negative: then fail_with_reason().
    template <class Answer>
    Answer check(Answer answer, const char* what) const {
        if (answer < 0) fail_with_reason(what);
        return answer;
    }
};

/// "field.h5, dataset /rhs", safe for a terminal.
std::string name_of(const std::string& path, const char* kind, const std::string& what);

/// What the C library says of `number`, an errno, with what to do about it where that is known.
std::string describe_errno(int number);

/// How files are opened: locked where the file system can lock, unlocked where it cannot (some network and
/// read-only ones). The environment variable HDF5_USE_FILE_LOCKING wins.
Properties file_access(const Subject& subject);

/// Files opened with `access` are read and written through a copy of `descriptor`, whatever name is given. HDF5's
/// own driver opens by name, and refuses names that lead to files without one.
void use_descriptor(const Properties& access, int descriptor, const Subject& subject);

/// A type as people call it: "float64 big endian", "int32", "text", "complex".
std::string describe_type(hid_t type);

/// The type is IEEE single or double precision, in either byte order.
bool is_float32_or_64(hid_t type);

/// The type is an integer of 8, 16, 32 or 64 bits, or IEEE half precision, which HDF5 converts when it reads.
bool is_converted(hid_t type);

/// "8 x 16 x 16"; "a single value" without extents.
std::string describe_extents(const std::vector<hsize_t>& extents);

/// Extents of a data space; empty for a scalar. `subject` is named should HDF5 fail.
std::vector<hsize_t> extents_of(hid_t space, const Subject& subject);

/// Paths of the data sets below the root, each once, the nearest to the root first, and external links, which are
/// not followed; at most eight. A last entry "and more" says that some were left out: of a large file only the
/// first thousand links are looked at.
std::vector<std::string> list_datasets(hid_t file);

/// Names of the links in a group, in alphabetical order, at most `most`.
std::vector<std::string> list_group(hid_t group, const Subject& subject, std::size_t most);

/// The number in the first `width` bytes, at most eight, the least significant one first.
inline hsize_t little_endian(const unsigned char* bytes, std::size_t width) noexcept {
    hsize_t number = 0;
    for (std::size_t i = width; i-- > 0;) number = number << 8U | bytes[i];
    return number;
}

/// The HDF5 type of T in the memory of this machine.
template <class T>
hid_t native_type();

}  // namespace poisson3d::h5
