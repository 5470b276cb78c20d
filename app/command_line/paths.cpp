#include "command_line/paths.hpp"

#include <filesystem>

#include "poisson3d/error.hpp"
#include "poisson3d/output_file.hpp"

namespace poisson3d::app {

namespace {

/// True if both names lead to one file: by links of any kind, other spellings of the path, or the same name of a
/// file that is not there yet.
bool same_file(const std::string& first, const std::string& second) {
    std::error_code error;
    if (std::filesystem::equivalent(first, second, error)) return true;
    const std::filesystem::path one =
        std::filesystem::weakly_canonical(std::filesystem::absolute(end_of_links(first), error), error);
    if (error) return false;
    const std::filesystem::path other =
        std::filesystem::weakly_canonical(std::filesystem::absolute(end_of_links(second), error), error);
    return !error && one == other;
}

}  // namespace

void refuse_same(const NamedFile& file, const std::vector<NamedFile>& others) {
    if (file.path.empty() || file.path == "-") return;
    for (const NamedFile& other : others)
        if (!other.path.empty() && same_file(file.path, other.path))
            throw Error(ErrorCode::usage, std::string(file.option) + ": found " + file.path + ", which is the " +
                                              other.what + " file itself");
}

}  // namespace poisson3d::app
