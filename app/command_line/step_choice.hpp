// --step: which of the fields of a data set of more than three dimensions are solved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "poisson3d/grid.hpp"

namespace poisson3d::app {

/// "7" (one field), "all", or "first:end:stride" as Python has it: without the field `end`; a part that is left out
/// is the whole range's; numbers below 0 count from the end.
struct StepChoice {
    std::string text;
    bool one = false;
    std::optional<Index> first, end;
    Index stride = 1;

    /// The numbers meant of `count` fields. Throws Error{data} if one is out of range, or none is meant; `what`
    /// says of what.
    [[nodiscard]] std::vector<Index> resolve(Index count, const std::string& what) const;
    /// "all" and what means the same.
    [[nodiscard]] bool every() const noexcept { return !one && !first && !end && stride == 1; }
};

/// Throws Error{usage}.
StepChoice parse_step(const std::string& option, const std::string& text);

}  // namespace poisson3d::app
