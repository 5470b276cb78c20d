#include "coefficient_faces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "axis_kind.hpp"
#include "chain.hpp"
#include "field_checks.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

VariableAxis::VariableAxis(const Axis& axis)
    : points(axis.points),
      first(axis_kind(axis).first),
      last(first + axis_kind(axis).unknowns - 1),
      ring(axis.periodic()),
      lower(static_cast<std::size_t>(points)),
      upper(lower),
      weight(mean_weights(axis)),
      share(static_cast<std::size_t>(points), 1.0) {
    const Chain chain = make_chain(axis);
    const std::size_t count = chain.volumes.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t j = static_cast<std::size_t>(first) + i;
        lower[j] = (chain.links[i] + (i == 0 ? chain.ground[0] : 0.0)) / chain.volumes[i];
        upper[j] = (chain.links[i + 1] + (i + 1 == count ? chain.ground[1] : 0.0)) / chain.volumes[i];
    }
    if (axis.centering == Centering::cell) share = chain.volumes;
    for (int side = 0; side < 2; ++side)
        for (Index j = 0; j < points; ++j) {
            const bool there = j >= first && j <= last && linked(j, side);
            step_to[side].push_back(there ? numbers().step(j, side) : 0.0);
            next[side].push_back(there ? beside(j, side) : j);
        }
}

namespace {

/// Throws for the first that is not finite and above 0, or at it where that is allowed.
template <class T>
Bounds bounds(FieldView<const T> field, bool allow_zero, const std::string& who) {
    constexpr T most = std::numeric_limits<T>::max();
    const auto good = [allow_zero](T value) {
        return (allow_zero ? value >= T(0) : value > T(0)) && value <= most;
    };
    T least = most, greatest = T(0);
    for (Index i = 0; i < field.extents[0]; ++i)
        for (Index j = 0; j < field.extents[1]; ++j) {
            const T* const row = &field(i, j, 0);
            bool all = true;
            for (Index k = 0; k < field.extents[2]; ++k) {
                all &= good(row[k]);
                least = std::min(least, row[k]);
                greatest = std::max(greatest, row[k]);
            }
            for (Index k = 0; !all && k < field.extents[2]; ++k)
                if (!good(row[k]))
                    throw Error(ErrorCode::data,
                                who + ": found " + format_number(static_cast<double>(row[k])) + " at [" +
                                    std::to_string(i) + ", " + std::to_string(j) + ", " + std::to_string(k) +
                                    "], wanted " +
                                    (allow_zero ? "finite numbers, 0 or above" : "positive finite numbers"));
        }
    return {static_cast<double>(least), static_cast<double>(greatest)};
}

template <class T>
void require_closed(FieldView<const T> faces, std::size_t axis, const std::string& who) {
    Extents end = faces.extents;
    const Index n = --end[axis];
    end[axis] = 1;
    for (Index i = 0; i < end[0]; ++i)
        for (Index j = 0; j < end[1]; ++j)
            for (Index k = 0; k < end[2]; ++k) {
                const T first = faces(i, j, k);
                const T last = faces(axis == 0 ? n : i, axis == 1 ? n : j, axis == 2 ? n : k);
                if (!same_face(first, last))
                    throw Error(ErrorCode::data,
                                who + ": found " + format_number(static_cast<double>(first)) +
                                    " on the first face and " + format_number(static_cast<double>(last)) +
                                    " on the last, beside [" + std::to_string(i) + ", " + std::to_string(j) + ", " +
                                    std::to_string(k) +
                                    "], wanted the same number, since they are one face of a periodic axis");
            }
}

}  // namespace

template <class T>
CoefficientChecks<T> host_checks() {
    return {&bounds<T>, &require_closed<T>};
}

template <class T>
CoefficientBounds validate(const Grid& grid, const Coefficient<T>& coefficient, double helmholtz,
                           const CoefficientChecks<T>& checks) {
    CoefficientBounds found{{}, {helmholtz, helmholtz}};
    if (coefficient.at_points.data != nullptr) {
        require_view(grid.points(), coefficient.at_points, "coefficient");
        found.coefficient = checks.bounds(coefficient.at_points, false, "coefficient");
    } else {
        found.coefficient = {std::numeric_limits<double>::infinity(), 0.0};
        for (std::size_t a = 0; a < 3; ++a) {
            const std::string who = std::string("coefficient on the faces along ") + grid.labels[a];
            Extents extents = grid.points();
            ++extents[a];
            require_view(extents, coefficient.on_faces[a], who.c_str());
            const Bounds here = checks.bounds(coefficient.on_faces[a], false, who);
            found.coefficient.least = std::min(found.coefficient.least, here.least);
            found.coefficient.greatest = std::max(found.coefficient.greatest, here.greatest);
            if (grid.axes[a].periodic()) checks.closed(coefficient.on_faces[a], a, who);
        }
    }
    if (coefficient.helmholtz.data != nullptr) {
        require_view(grid.points(), coefficient.helmholtz, "helmholtz");
        found.helmholtz = checks.bounds(coefficient.helmholtz, true, "helmholtz");
    }
    return found;
}

template CoefficientChecks<float> host_checks();
template CoefficientChecks<double> host_checks();
template CoefficientBounds validate(const Grid&, const Coefficient<float>&, double,
                                    const CoefficientChecks<float>&);
template CoefficientBounds validate(const Grid&, const Coefficient<double>&, double,
                                    const CoefficientChecks<double>&);

}  // namespace poisson3d
