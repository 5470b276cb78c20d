// What transpose_shapes is asked, and the transposes that its parts have in common.
#pragma once

#include <string>
#include <vector>

#include "transpose_candidates.hpp"

namespace poisson3d::test {

struct ShapeOptions {
    int random = 0;
    unsigned long long seed = 0;
    std::vector<int> elements{4, 8, 16};
    std::vector<std::string> points, orders{"yzx", "zxy", "xzy", "yxz", "zyx"};
    std::vector<Index> squares, cubes;
    double least = 16777216, greatest = 67108864;
    std::vector<std::string> algorithms{"automatic", "aligned", "wide-loads", "thin"};
    bool variants = false, check = false, in_place = false;
    int rectangles = 0, repeat = 5, worst = 3;
    std::string json;
};

Permutation permutation_of(const std::string& order);  ///< "zxy"
std::string text(const Extents& extents);              ///< "5x7x9"
/// Those asked for by name, or random ones.
std::vector<Extents> boxes(const ShapeOptions& options);
TransposeProblem dense(const Extents& extents, const std::string& order, int element);
/// The algorithms asked for, and the kernels of other shapes.
std::vector<Candidate> candidates(const ShapeOptions& options, const TransposeProblem& problem);

/// Print what they measured and write it to options.json.
void measure_boxes(const ShapeOptions& options);
void measure_in_place(const ShapeOptions& options);
/// Returns 1 if a kernel is wrong.
int check_kernels(const ShapeOptions& options);

}  // namespace poisson3d::test
