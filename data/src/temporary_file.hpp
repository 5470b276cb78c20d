// A file that has no name yet, or a hidden one.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <system_error>

namespace poisson3d {

/// Nothing is left of it unless it was renamed. Calls that fail throw std::system_error.
class TemporaryFile {
public:
    /// `replaced`: the file whose place it will take, if there is one.
    TemporaryFile(const std::string& directory, const std::optional<struct stat>& replaced);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// −1 after finish().
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

    /// Access rights of the file `target`, if it was there; then to disk, and closed.
    void finish(const std::string& target);
    [[nodiscard]] bool finished() const noexcept { return descriptor_ < 0; }
    /// Gives a file without a name a hidden one beside `target`. With `alone` no other process does the same, and a
    /// file that a killed process left there is removed.
    void link(const std::string& target, bool alone);
    [[nodiscard]] const std::string& name() const noexcept { return name_; }  ///< empty: none
    void rename(const std::string& target);
    /// It never will get a name: a hidden one that it has is removed.
    void forget_name();

private:
    void set_name(std::string name);
    void drop_name() noexcept;

    std::string directory_;
    std::optional<struct stat> replaced_;
    std::string name_;
    int slot_ = -1;        // of name_ in the list of names to remove
    int descriptor_ = -1;  // until finish()
    int handle_ = -1;      // after it: what a file without a name lives by
};

/// fsync, where the file system has it.
void sync_to_disk(int descriptor);

}  // namespace poisson3d
