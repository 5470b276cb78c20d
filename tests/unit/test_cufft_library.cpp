// cuFFT, which is opened when it is asked for: a build with the toolkit finds it, and all functions in it, without
// a GPU.
#include <gtest/gtest.h>

#include "pipelines.hpp"

namespace poisson3d::cufft {

TEST(CufftLibrary, IsFoundWithAllItsFunctions) {
    EXPECT_EQ(missing_library(), "");
    EXPECT_EQ(missing_library(), "") << "the second time";
}

}  // namespace poisson3d::cufft
