// Filters of convolutions (convolution.hpp), on the host.
#pragma once

#include <vector>

#include "host_device.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::lines {

/// Of cyclic convolutions with `values`, as many as the product of the radices; laid out as Filter says. Made by an
/// FFT of long double and rounded once; the bits do not depend on the number of threads.
template <class T>
std::vector<Complex<T>> filter_of(const std::vector<int>& radices, const std::vector<Complex<long double>>& values,
                                  ThreadTeam& team);

/// The same numbers as modes 0, 1, ….
template <class T>
std::vector<Complex<T>> modes_of(const std::vector<int>& radices, const std::vector<Complex<long double>>& values,
                                 ThreadTeam& team);

}  // namespace poisson3d::lines
