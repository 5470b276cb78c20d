#include "schedule.hpp"

namespace poisson3d {

std::string describe(const Pass& pass, int number, const std::array<char, 3>& labels) {
    static constexpr std::array directions{"forward", "both ways", "backward"};
    return std::to_string(number) + " " + labels[pass.axis()] + " " + directions[static_cast<int>(pass.direction)];
}

}  // namespace poisson3d
