// The gradient rule of a part of an axis, points first … first + points − 1: the rule of the whole where all values
// it takes are in the part, and at an end of the part where some are not an edge, whose values are brought
// together.
#pragma once

#include <algorithm>
#include <vector>

#include "gradient_rule.hpp"

namespace poisson3d {

/// The derivative at point `at`, from values at `points` of the whole axis, which stand side by side in this order:
/// `rule` is evaluated at number `slot` of them.
template <class T>
struct EdgeRule {
    Index at = 0, slot = 0;
    std::vector<Index> points;
    AxisRule<T> rule;
};

template <class T>
struct PartRule {
    AxisRule<T> rule;  ///< by points of the part; at edges it gives 0
    std::vector<EdgeRule<T>> edges;
};

/// At most two values beyond each end of the part are taken. What `whole` points to is pointed to.
template <class T>
EdgeRule<T> edge_rule(const AxisRule<T>& whole, Index at) {
    EdgeRule<T> edge;
    edge.at = at;
    if (whole.inside(at)) {
        edge.points = {at - 1, at, at + 1};
        edge.slot = 1;
        edge.rule.points = 3;
        edge.rule.factor = whole.factor;
        if (whole.lower != nullptr) edge.rule.lower = whole.lower + at - 1, edge.rule.upper = whole.upper + at - 1;
        return edge;
    }
    EndRule<T> end = at == 0 ? whole.first : whole.last;
    for (int i = 0; i < 3; ++i)
        if (end.weight[i] != T(0)) edge.points.push_back(end.at[i]);
    std::sort(edge.points.begin(), edge.points.end());
    for (int i = 0; i < 3; ++i)
        end.at[i] = end.weight[i] == T(0)
                        ? 0
                        : std::find(edge.points.begin(), edge.points.end(), end.at[i]) - edge.points.begin();
    edge.rule.points = 1;
    edge.rule.factor = whole.factor;
    edge.rule.first = end;
    return edge;
}

template <class T>
PartRule<T> rule_of_part(const AxisRule<T>& whole, Index first, Index points) {
    PartRule<T> part;
    part.rule.points = points;
    part.rule.factor = whole.factor;
    if (whole.lower != nullptr) part.rule.lower = whole.lower + first, part.rule.upper = whole.upper + first;
    const auto end_of = [&](Index at) {
        EdgeRule<T> edge = edge_rule(whole, at);
        const bool here =
            std::ranges::all_of(edge.points, [&](Index point) { return point >= first && point < first + points; });
        if (!here) {
            part.edges.push_back(std::move(edge));
            return EndRule<T>{};
        }
        EndRule<T> end = at == 0 ? whole.first : whole.last;
        for (int i = 0; i < 3; ++i) end.at[i] = end.weight[i] == T(0) ? 0 : end.at[i] - first;
        return end;
    };
    if (points == 0) return part;
    part.rule.first = end_of(first);
    if (points > 1) part.rule.last = end_of(first + points - 1);
    return part;
}

}  // namespace poisson3d
