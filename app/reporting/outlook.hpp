// What solving a file would do: what happens along each axis, which points would be faster, who solves, how long.
#pragma once

#include <nlohmann/json.hpp>

#include "reporting/table.hpp"

namespace poisson3d::app {

/// Of a right-hand side.
struct Told {
    int type_bytes = 8;        ///< of its elements: 4 or less is solved in single precision
    bool coefficient = false;  ///< one that varies: a solve is one of many iterations
    Index steps = 1;
};

/// Adds lines to the table and the key `solve` to the JSON report.
void add_outlook(Table& table, nlohmann::ordered_json& json, const Problem& problem, const Told& told);

/// The nearest numbers of stored points below and above those of an axis, 0 where there is none, whose transform
/// has no prime factor above 7.
std::array<Index, 2> good_points(const Problem& problem, int axis);

}  // namespace poisson3d::app
