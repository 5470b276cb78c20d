#include "closed_lines.hpp"

#include "axis_kind.hpp"
#include "transform_numbers.hpp"

namespace poisson3d::walled {

ClosedLines make_closed_lines(const Axis& closed, const FoldedLine& line, double gain) {
    const AxisKind kind = axis_kind(closed);
    const lines::TransformNumbers forward(kind.forward, kind.unknowns, true);
    const lines::TransformNumbers backward(kind.backward, kind.unknowns, true);
    const double trip = gain * static_cast<double>(kind.round_trip);
    ClosedLines all;
    for (int c = 0; c < line.classes; ++c) {
        const Index count = c == 0 ? line.even() : line.points - line.even();
        const auto mode = [&](Index k) { return line.classes * k + c; };
        const auto fold = [&](Index j) { return static_cast<double>(line.classes_at(j)); };
        ClosedLines::Class& mine = all.of[c];
        for (Index j = 0; j < count; ++j)
            for (Index k = 0; k < count; ++k) {
                const auto value = static_cast<double>(backward(j, mode(k)));
                mine.sources.push_back(fold(j) * value);
                mine.results.push_back(value / trip);
            }
        for (Index k = 0; k < count; ++k)
            for (Index j = 0; j < count; ++j)
                mine.modes.push_back(gain * fold(j) * static_cast<double>(forward(mode(k), j)));
    }
    return all;
}

Index place_of_mode(const FoldedLine& line, Index mode) {
    return line.classes == 1 ? mode : mode % 2 * line.even() + mode / 2;
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, Index inner,
                            ThreadTeam& team) {
    if (inner == 0) return {};
    const Index rows = static_cast<Index>(a.size()) / inner, columns = static_cast<Index>(b.size()) / inner;
    std::vector<double> out(static_cast<std::size_t>(rows * columns), 0.0);
    team.parallel_for(rows, 8, [&](Index begin, Index end, int) {
        for (Index i = begin; i < end; ++i) {
            double* const to = out.data() + i * columns;
            for (Index k = 0; k < inner; ++k) {
                const double factor = a[i * inner + k];
                const double* const row = b.data() + k * columns;
                for (Index j = 0; j < columns; ++j) to[j] += factor * row[j];
            }
        }
    });
    return out;
}

}  // namespace poisson3d::walled
