// All files that a field comes from: the one that was named, those behind its external links, those with raw
// values. Each is kept open from its first use on, to see at the end whether it has changed.
#pragma once

#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

#include "descriptor.hpp"
#include "h5.hpp"
#include "poisson3d/field_file.hpp"

namespace poisson3d::h5 {

/// One file. Named pipes, devices and directories are none and are never opened.
struct InputFile {
    std::string path;
    Descriptor descriptor;
    struct stat found = {};  ///< when it was opened
    bool by_name = false;    ///< HDF5 opens it anew, by its name, each time it reads (raw values)

    [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(found.st_size); }
    /// The eight bytes that every HDF5 file has, at 0, 512, 1024, 2048 … (after a user block of that size), are
    /// there. Throws `subject`'s code if the file cannot be read.
    [[nodiscard]] bool has_signature(const Subject& subject) const;
};

/// Opens a file for reading. Throws `subject`'s code with the cause; Error{out_of_memory} for ENOMEM.
InputFile open_input_file(const std::string& path, const Subject& subject);

/// The file `name` of an external link in the file `parent`, opened: the first regular file among the names that
/// HDF5 tries, in its order (HDF5_EXT_PREFIX, beside the parent, the working directory, beside the file that the
/// parent's name is a symbolic link to). Throws `subject`'s code if there is none, if it is no HDF5 file (HDF5
/// would go on to another of that name), or if a named pipe or a device comes first, which HDF5 would wait for.
InputFile open_external_file(const std::string& parent, const std::string& name, const Subject& subject);

class InputFiles {
public:
    /// Files that will be written; none may be an input.
    explicit InputFiles(std::vector<OutputName> outputs) : outputs_(std::move(outputs)) {}

    /// Takes an opened file, once each. Throws OutputIsInput.
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
