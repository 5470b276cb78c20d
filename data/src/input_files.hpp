// All files that a field comes from: the one that was named, those behind its external links, those with raw
// values. Each is held open from the moment it is met, so that it can be told whether it is still what it was.
#pragma once

#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

#include "h5.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::h5 {

/// Owns a file descriptor.
class Descriptor {
public:
    explicit Descriptor(int number = -1) noexcept : number_(number) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int get() const noexcept { return number_; }

private:
    int number_;
};

/// One file. Named pipes, devices and directories are none and are never opened.
struct InputFile {
    std::string path;
    Descriptor descriptor;
    struct stat found = {};  ///< when it was met
    bool by_name = false;    ///< HDF5 opens it anew, by its name, each time it reads (raw values)

    [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(found.st_size); }
    /// The eight bytes that every HDF5 file has, at 0, 512, 1024, 2048 … (after a user block of that size), are
    /// there. Throws `subject`'s code if the file cannot be read.
    [[nodiscard]] bool has_signature(const Subject& subject) const;
};

/// Opens a file for reading. Throws `subject`'s code with the cause; Error{out_of_memory} for ENOMEM.
InputFile open_input_file(const std::string& path, const Subject& subject);

class InputFiles {
public:
    /// Files that will be written; none may be an input.
    explicit InputFiles(std::vector<OutputName> outputs) : outputs_(std::move(outputs)) {}

    /// Takes a file that was met, once each. Throws OutputIsInput.
    void add(InputFile file);
    /// `file` is one of them (device and inode).
    [[nodiscard]] bool contains(const struct stat& file) const noexcept;
    [[nodiscard]] std::vector<InputIdentity> identities() const;
    /// Of all of them together.
    [[nodiscard]] std::size_t bytes() const noexcept;
    /// As FieldReader::require_unchanged() says.
    void require_unchanged() const;

private:
    void refuse_outputs(const InputFile& file) const;

    std::vector<OutputName> outputs_;
    std::vector<InputFile> files_;  // the first is the one that was named
};

}  // namespace poisson3d::h5
