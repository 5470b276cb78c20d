#include "positions.hpp"

#include "axis_numbers.hpp"

namespace poisson3d::h5 {

std::array<std::vector<double>, 3> read_positions(const Input& input, const std::array<char, 3>& labels,
                                                  const Extents& points) {
    const auto count = [](Index n) {
        return Count{n, n + 1,
                     std::to_string(n + 1) + " numbers, the faces of cells, or " + std::to_string(n) +
                         ", the points of nodes (periodic ones have one more)"};
    };
    return read_axis_group(input, {"/positions", "positions of axes", count}, labels, points);
}

}  // namespace poisson3d::h5
