// Gradients by members, and of one process, with which they are compared.
#pragma once

#include <array>
#include <vector>

#include "members.hpp"
#include "poisson3d/distributed_gradient.hpp"

namespace poisson3d::test {

template <class T>
using Gradients = std::array<Field<T>, 3>;

template <class T>
Gradients<T> filled_gradient(const Extents& points) {
    return {filled_field<T>(points), filled_field<T>(points), filled_field<T>(points)};
}

template <class T>
Gradients<T> gradient_of_one(const Problem& problem, const Field<T>& u, const BoundaryData<T>& data = {}) {
    Options options;
    options.engine = Engine::host;
    options.threads = 1;
    Gradients<T> found = filled_gradient<T>(problem.grid.points());
    Gradient<T>(problem, options).evaluate(u.view(), {found[0].view(), found[1].view(), found[2].view()}, data);
    return found;
}

/// The components of every member in three fields, in place.
template <class T>
std::vector<std::array<FieldView<T>, 3>> components_of(const Decomposition& parts, Gradients<T>& whole) {
    std::vector<std::array<FieldView<T>, 3>> all(static_cast<std::size_t>(parts.members()));
    for (std::size_t a = 0; a < 3; ++a) {
        const auto boxes = boxes_of<T>(parts, whole[a].view());
        for (std::size_t m = 0; m < all.size(); ++m) all[m][a] = boxes[m];
    }
    return all;
}

template <class T>
Gradients<T> gradient_of_members(const Problem& problem, const Decomposition& parts, const Field<T>& u,
                                 const BoundaryData<T>& data = {}, int threads_of_all = 2) {
    DistributedGradient<T> gradient(problem, parts, threads(parts.members()), {.threads = threads_of_all});
    Gradients<T> found = filled_gradient<T>(problem.grid.points());
    const auto from = boxes_of<const T>(parts, u.view());
    const auto to = components_of<T>(parts, found);
    const auto faces = data_of(parts, data);
    gradient.evaluate(std::span(from), std::span(to), std::span(faces));
    return found;
}

}  // namespace poisson3d::test
