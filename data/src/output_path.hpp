// Where an output goes: links followed, and refused what can be known to fail.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace poisson3d {

struct OutputPath {
    std::string target;                   ///< the file to make or replace
    std::string directory;                ///< the one it stands in
    std::optional<struct stat> replaced;  ///< what is there now
};

/// Throws Error{output}: see OutputFile.
OutputPath find_output(const std::string& path);

/// Calls refuse("needs …, its file system has … left") if that has fewer bytes left for this user. Some network
/// file systems do not know: then the write itself will tell.
void require_room(const std::string& directory, std::uint64_t bytes,
                  const std::function<void(const std::string& what)>& refuse);

/// Throws Error{output, "path: what"}.
[[noreturn]] void fail_output(const std::string& path, const std::string& what);

}  // namespace poisson3d
