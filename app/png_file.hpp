// Where --preview FILE goes: a PNG that appears under its name only when it is whole. Without libpng the same
// functions stand in png_file_absent.cpp and say so.
#pragma once

#include <memory>
#include <string>

#include "canvas.hpp"

namespace poisson3d::app {

/// Throws Error{unsupported} if this build cannot write pictures.
void require_png();

/// Written beside its final name; without commit() the destructor removes what was written. Throws Error{output}.
class PngFile {
public:
    /// Makes the temporary file, so that a place that cannot be written to is known before the work.
    explicit PngFile(const std::string& path);
    ~PngFile();
    PngFile(PngFile&&) noexcept;
    PngFile& operator=(PngFile&&) noexcept;

    /// The whole picture, once.
    void write(const Canvas& canvas);
    /// Gives it its name.
    void commit();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace poisson3d::app
