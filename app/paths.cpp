#include "paths.hpp"

#include <filesystem>

namespace poisson3d::app {

bool same_file(const std::string& first, const std::string& second) {
    std::error_code error;
    if (std::filesystem::equivalent(first, second, error)) return true;
    const std::filesystem::path one =
        std::filesystem::weakly_canonical(std::filesystem::absolute(first, error), error);
    if (error) return false;
    const std::filesystem::path other =
        std::filesystem::weakly_canonical(std::filesystem::absolute(second, error), error);
    return !error && one == other;
}

}  // namespace poisson3d::app
