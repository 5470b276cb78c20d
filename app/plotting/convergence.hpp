// Errors of several solves against the spacing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pictures/chart.hpp"

namespace poisson3d::app {

/// The chart of the reports that `poisson3d --exact … --json` writes: largest error and root mean square against
/// the largest spacing, logarithmic, with the order, the slope of a least-squares line. `orders` gets these. Throws
/// Error{file} for a file that cannot be read or is no JSON, Error{data} for a report without an error, or fewer
/// than two spacings.
Chart convergence_chart(const std::vector<std::string>& reports, nlohmann::ordered_json& orders);

}  // namespace poisson3d::app
