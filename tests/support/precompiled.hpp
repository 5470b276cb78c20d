// What nearly all tests include; compiled once for all of them where there is no compiler cache.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/solver.hpp"
