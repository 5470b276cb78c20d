// The solution of one solver, with which those of members are compared.
#pragma once

#include <algorithm>
#include <cmath>

#include "padded.hpp"
#include "problems.hpp"

namespace poisson3d::test {

template <class T>
bool equal(const Field<T>& a, const Field<T>& b) {
    return different(read(a), read(b)) == 0;
}

inline Options one_thread(Middle middle) {
    Options options;
    options.engine = Engine::host;
    options.threads = 1;
    options.middle = middle;
    return options;
}

template <class T>
Field<T> solved_by_one(const Problem& problem, const Field<T>& f, Middle middle, const BoundaryData<T>& data = {},
                       Result* result = nullptr) {
    Solver<T> solver(problem, one_thread(middle));
    Field<T> u = filled_field<T>(problem.grid.points());
    solver.solve(f.view(), u.view(), data);
    if (result != nullptr) *result = solver.result();
    return u;
}

/// max |a − b| and max |a|.
template <class T>
double largest_difference(const Field<T>& a, const Field<T>& b) {
    double most = 0.0;
    for (Index i = 0; i < a.size(); ++i)
        most = std::max(most, std::abs(static_cast<double>(a.data()[i] - b.data()[i])));
    return most;
}
template <class T>
double largest(const Field<T>& a) {
    double most = 0.0;
    for (Index i = 0; i < a.size(); ++i) most = std::max(most, std::abs(static_cast<double>(a.data()[i])));
    return most;
}

}  // namespace poisson3d::test
