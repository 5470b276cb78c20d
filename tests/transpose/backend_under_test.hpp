// Which backend a program of transposes tests. It is compiled once, and the environment names the backend.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "poisson3d/transpose.hpp"

namespace poisson3d::test {

inline const Backend backend = [] {
    const char* const variable = std::getenv("POISSON3D_TEST_BACKEND");  // NOLINT(concurrency-mt-unsafe)
    const std::string word = variable == nullptr ? "host" : variable;
    if (word == "host") return Backend::host;
    if (word == "cuda") return Backend::cuda;
    throw std::invalid_argument("POISSON3D_TEST_BACKEND=" + word + " names no backend: host or cuda");
}();

}  // namespace poisson3d::test
