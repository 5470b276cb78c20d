#include "pictures/picture_format.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>

#include "poisson3d/error.hpp"

namespace poisson3d::app {

PictureFormat picture_format(const std::string& option, const std::string& name) {
#ifndef POISSON3D_HAVE_CAIRO
    throw Error(ErrorCode::unsupported, option + ": found " + name +
                                            ", but this program was built without Cairo, which draws pictures "
                                            "(install libcairo2-dev or the like and build again)");
#else
    static const std::array<std::pair<const char*, PictureFormat>, 3> endings{
        {{".png", PictureFormat::png}, {".pdf", PictureFormat::pdf}, {".svg", PictureFormat::svg}}};
    std::string ending = std::filesystem::path(name).extension().string();
    std::ranges::transform(ending, ending.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const auto& [known, format] : endings)
        if (ending == known) return format;
    throw Error(ErrorCode::usage, option + ": found " + name +
                                      ", wanted a name that ends in .png, .pdf or .svg, which says what kind of "
                                      "picture it is");
#endif
}

}  // namespace poisson3d::app
