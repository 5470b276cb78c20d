// Where --preview FILE goes: a PNG that appears under its name only when it is whole. Without libpng the same
// functions stand in png_file_absent.cpp and say so.
#pragma once

#include <memory>
#include <string>

#include "pictures/canvas.hpp"
#include "poisson3d/output_file.hpp"

namespace poisson3d::app {

/// Throws Error{unsupported} if this build cannot write pictures.
void require_png();

/// Without finish(), and publish() of what it hands over, nothing is left of it. Throws Error{output}.
class PngFile {
public:
    /// Makes the file, so that a place that cannot be written to is known before the work.
    explicit PngFile(const std::string& path);
    ~PngFile();
    PngFile(PngFile&&) noexcept;
    PngFile& operator=(PngFile&&) noexcept;

    /// The whole picture, once.
    void write(const Canvas& canvas);
    /// After write(): on disk, and to be published.
    [[nodiscard]] OutputFile finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace poisson3d::app
