// Where --json FILE goes: opened before the work, filled after it, in place at once.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "json.hpp"

namespace poisson3d::app {

/// A report written beside its final name and renamed, so that nobody reads half of it and an old one stays if
/// the program is killed. What is no ordinary file (a pipe, a device) is written directly.
class JsonFile {
public:
    /// Goes nowhere.
    JsonFile() = default;
    /// "" and "-" go nowhere either. Throws Error{output} if the file cannot be made.
    explicit JsonFile(const std::string& path);
    ~JsonFile();
    JsonFile(JsonFile&& other) noexcept;
    JsonFile& operator=(JsonFile&& other) noexcept;

    /// Writes and renames. Throws Error{output}.
    void write(const Json& json);

private:
    struct Close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    [[noreturn]] void fail(const char* what) const;

    std::string path_, temporary_;  ///< no temporary: written directly
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace poisson3d::app
