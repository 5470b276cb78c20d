// The letters of the pictures: a font that is part of the program, so that a picture is the same on every machine.
#pragma once

#include <span>

namespace poisson3d::app {

/// The bytes of a TrueType file.
std::span<const unsigned char> font_file() noexcept;

}  // namespace poisson3d::app
