#include "process/version.hpp"

#include "poisson3d/device.hpp"
#include "poisson3d_revision.hpp"  // written by revision.cmake at every build

namespace poisson3d::app {

std::string version() {
    return POISSON3D_VERSION;
}

std::string revision() {
    return POISSON3D_REVISION;
}

std::string version_text() {
    return "poisson3d " + version() + " (revision " + revision() + ", " + cuda_build() + ")";
}

}  // namespace poisson3d::app
