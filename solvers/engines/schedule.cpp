#include "schedule.hpp"

namespace poisson3d {

const char* describe(Direction direction) {
    static constexpr std::array directions{"forward", "both ways", "backward"};
    return directions[static_cast<int>(direction)];
}

std::string describe(const Pass& pass, int number, const std::array<char, 3>& labels) {
    return std::to_string(number) + " " + labels[pass.axis()] + " " + describe(pass.direction);
}

}  // namespace poisson3d
