// Spectral gradients beside free faces, which need the right-hand side, by members and by one host.
#pragma once

#include "gradients.hpp"

namespace poisson3d::test {

template <class T>
Gradients<T> source_gradient_of_one(const Problem& problem, const Field<T>& u, const Field<T>& f, T scale) {
    Options options;
    options.engine = Engine::host;
    options.threads = 1;
    Gradients<T> found = filled_gradient<T>(problem.grid.points());
    Gradient<T>(problem, options)
        .evaluate_with_source(u.view(), f.view(), scale, {found[0].view(), found[1].view(), found[2].view()});
    return found;
}

/// Twice, since devices record what comes again.
template <class T>
Gradients<T> source_gradient_of_members(const Problem& problem, const Decomposition& parts,
                                        const Communicator& members, const Field<T>& u, const Field<T>& f,
                                        T scale) {
    DistributedGradient<T> gradient(problem, parts, members);
    Gradients<T> found = filled_gradient<T>(problem.grid.points());
    const auto solution = boxes_of<const T>(parts, u.view()), source = boxes_of<const T>(parts, f.view());
    const auto to = components_of<T>(parts, found);
    for (int time = 0; time < 2; ++time)
        gradient.evaluate_with_source(std::span(solution), std::span(source), scale, std::span(to));
    return found;
}

}  // namespace poisson3d::test
