// In place of png_file.cpp where there is no libpng.
#include "pictures/png_file.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::app {

struct PngFile::State {};

void require_png() {
    throw Error(
        ErrorCode::unsupported,
        "--preview: this build has no libpng and cannot write pictures: install libpng-dev and build again");
}

PngFile::PngFile(const std::string&) {
    require_png();
}
PngFile::~PngFile() = default;
PngFile::PngFile(PngFile&&) noexcept = default;
PngFile& PngFile::operator=(PngFile&&) noexcept = default;
void PngFile::write(const Canvas&) {
    require_png();
}
OutputFile PngFile::finish() {
    throw Error(ErrorCode::unsupported, "--preview: this build cannot write pictures");
}

}  // namespace poisson3d::app
