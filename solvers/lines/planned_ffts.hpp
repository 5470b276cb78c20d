// The FFTs of a line by any method.
#pragma once

#include <utility>

#include "axis_tables.hpp"
#include "chirp_tables.hpp"

namespace poisson3d::lines {

/// Sets the FFTs of a line, `count` of `length`; `first`: with an outer step next to samples.
template <class T, class Format>
void set_plan(AxisTables<T, Format>& tables, const LineFfts& ffts, LineMethod method, ThreadTeam* team) {
    const auto count = static_cast<int>(ffts.count);
    if (method == LineMethod::radix_steps) {
        tables.plan = make_fft_plan<T, Format>(ffts.length, count, radices_of(ffts.length, ffts.first));
    } else if (method == LineMethod::chirp) {
        ThreadTeam alone(1);
        ChirpPlan<T, Format> chirp =
            make_chirp_plan<T, Format>(ffts.length, count, team != nullptr ? *team : alone);
        tables.plan = std::move(chirp.plan);
        tables.chirp = std::move(chirp.tables);
    } else {
        tables.plan = whole_lines<T, Format>(ffts.length, count);
    }
}

}  // namespace poisson3d::lines
