// In a build without Cairo: nothing can be drawn. picture_format() says so before any of this is called.
#include "pictures/chart.hpp"
#include "pictures/slices.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::app {

namespace {

[[noreturn]] void refuse() {
    throw Error(ErrorCode::unsupported, "this program was built without Cairo, which draws pictures");
}

}  // namespace

std::string draw_chart(const Chart&, PictureFormat) {
    refuse();
}

std::string draw_slices(const std::vector<FieldSlices>&, const ColourOptions&, PictureFormat) {
    refuse();
}

}  // namespace poisson3d::app
