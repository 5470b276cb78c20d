// An HDF5 file that appears under its name only when it is whole.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "h5.hpp"
#include "poisson3d/output_file.hpp"

namespace poisson3d::h5 {

/// Makes a file without a name; what finish() hands back gives it one. Without that nothing is left of it. Errors
/// are Error{output} naming file and cause.
///
/// When closing fails because the last bytes cannot be written, HDF5 1.10 frees the file and keeps its identifier,
/// and later calls use freed memory. So nothing is closed before it is flushed, and what cannot be flushed is left
/// alone until the process ends: data sets belong to this class, not to its users.
class Output {
public:
    explicit Output(const std::string& path);
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// Code and words that errors begin with.
    [[nodiscard]] const Subject& subject() const noexcept { return subject_; }
    /// Throws Error{internal} after finish().
    [[nodiscard]] hid_t file() const;
    /// Throws if the file system says that it has fewer than `bytes` left for this user.
    void require_space(std::uint64_t bytes) const { output_.require_space(bytes); }

    /// A new data set and the groups above it, open until finish(). It is not filled first, since all of it is
    /// to be written, and holds no times, so that the same values are the same bytes.
    /// With chunk extents it is chunked, shuffled and deflated to `level`, 1 to 9.
    hid_t create(const Subject& about, const std::string& name, hid_t type, const Space& space,
                 const std::vector<hsize_t>& chunk = {}, int level = 0);

    /// Flushes, closes, waits for the disk, then hands over the file, which is to be published.
    OutputFile finish();

private:
    void abandon() noexcept;

    // Destroyed in reverse: data sets, HDF5, then the file itself.
    OutputFile output_;
    Subject subject_;
    File file_;
    std::list<Dataset> datasets_;
};

}  // namespace poisson3d::h5
