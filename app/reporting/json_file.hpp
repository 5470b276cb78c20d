// Where --json FILE goes: opened before the work, filled after it.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "poisson3d/output_file.hpp"

namespace poisson3d::app {

/// A report that appears under its name when it is whole, together with the other outputs. What is no ordinary
/// file (a pipe, a device), or is open already (/dev/stdout), is written directly. Throws Error{output}.
class JsonFile {
public:
    /// No file: finish() and write() do nothing.
    JsonFile() = default;
    /// "" and "-" are no file either.
    explicit JsonFile(const std::string& path);

    /// Adds the report to the files that are to be published, finished. Nothing if it is written directly.
    void finish(const std::string& report, std::vector<OutputFile>& outputs);
    /// Writes the report if it is written directly. Last of all, since it cannot be taken back.
    void write(const std::string& report);

private:
    struct Close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    [[noreturn]] void fail(const char* what) const;

    std::string path_;
    std::optional<OutputFile> file_;
    std::unique_ptr<std::FILE, Close> direct_;
};

}  // namespace poisson3d::app
