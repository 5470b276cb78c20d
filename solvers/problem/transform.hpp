// The real transforms of a line that solves use.
#pragma once

#include <cstdint>

namespace poisson3d {

/// FFTW's definitions (R2HC, HC2R, REDFT00, 10, 01, 11, RODFT00, 10, 01, 11), unnormalised.
enum class Transform : std::uint8_t { dft, inverse_dft, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4 };

const char* name(Transform transform) noexcept;

}  // namespace poisson3d
