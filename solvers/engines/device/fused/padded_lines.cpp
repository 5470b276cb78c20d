#include "padded_lines.hpp"

#include "fused_shape.hpp"
#include "launch_pass.hpp"
#include "line_methods.hpp"
#include "padded_axis.hpp"
#include "padded_layout.hpp"
#include "padded_symbol.hpp"
#include "pipelines.hpp"
#include "symbol_rows.hpp"

namespace poisson3d::fused {

using namespace lines;

Problem padded_problem(const Problem& problem) {
    Problem padded = problem;
    for (Axis& axis : padded.grid.axes) axis = padded_axis(axis);
    return padded;
}

template <class T>
std::optional<std::array<LineMethod, 3>> padded_methods(const Problem& problem) {
    const Problem padded = padded_problem(problem);
    std::array<LineMethod, 3> methods{};
    for (int a = 0; a < 3; ++a) {
        methods[a] = padded_line_method(padded.grid.axes[a]);
        if (!has_ffts(methods[a]) || !lines_fit<T>(padded.grid.axes[a], methods[a])) return {};
    }
    return methods;
}

bool has_padded_pipeline(const Problem& problem) {
    const auto methods = padded_methods<double>(problem);
    if (!methods) return false;
    const int b = plane_axes(problem.grid).b;
    const Index line = line_elements<Compact>(padded_axis(problem.grid.axes[b]), (*methods)[b]);
    constexpr Index banks = 8;
    const Index elements = line + banks + symbol_elements(symbol_rows(problem.grid.axes[b]), 1);
    return static_cast<std::size_t>(elements) * 2 * sizeof(double) <= max_shared();
}

template std::optional<std::array<LineMethod, 3>> padded_methods<float>(const Problem&);
template std::optional<std::array<LineMethod, 3>> padded_methods<double>(const Problem&);

}  // namespace poisson3d::fused
